/** Null, or the fault. */
export async function withEsbuild(options) {
  const { build, stop } = await import("esbuild");
  try {
    await build({ ...options, logLevel: "silent" });
    return null;
  } catch (error) {
    return error.message;
  } finally {
    // It is a process of its own, which would stay, with some 150 MB, for as long as this one: beside the gateway of `npm start`.
    await stop();
  }
}
