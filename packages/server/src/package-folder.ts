/** The package's own folder. This file lies as deep in the sources as the built code does in its folder. */
export const PACKAGE_FOLDER = new URL("../", import.meta.url);
