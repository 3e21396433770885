export type MigrationFile = { file: string; text: string };
export const FOLDER: string;
export const LIST: string;
export function readMigrations(): MigrationFile[];
export function readList(): string;
export function listOf(migrations: readonly MigrationFile[], list: string): string;
export function nextFile(name: string, migrations: readonly MigrationFile[], list: string): string;
