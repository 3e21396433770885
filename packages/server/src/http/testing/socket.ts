import { createConnection } from "node:net";

/** Sends this text to a local port and resolves with all that comes back, when the server has closed. */
export const converse = (port: number, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = createConnection(port, "127.0.0.1", () => socket.write(text));
    let all = "";
    socket.on("data", (bytes) => (all += bytes.toString()));
    socket.on("error", reject);
    socket.on("close", () => resolve(all));
  });
