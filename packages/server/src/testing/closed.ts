import type { Socket } from "node:net";

/**
 * Resolves when the socket has closed, however. `once(socket, "close")` of Node rejects when it was reset, and whether the other end
 * closes or resets depends on what of the last bytes it has read by then.
 */
export const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    if (socket.closed) resolve();
    else socket.once("close", () => resolve());
  });
