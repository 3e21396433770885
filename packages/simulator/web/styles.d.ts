declare module "*.css";
declare module "*.module.css" {
  const names: Readonly<Record<string, string>>;
  // What a bundler makes of such a file.
  // oxlint-disable-next-line import/no-default-export
  export default names;
}
