// For the receivers in JavaScript: a server as the library's users write one, and one line of JSON for each delivery.
import { createServer } from "node:http";

export const SECRET = process.env.RECEIVER_SECRET;
export const TOKEN = process.env.VERIFY_TOKEN;

/**
 * Serves until its input ends. `challenge(query)` answers a handshake; `receive(text, signature)` verifies and reads a delivery, and resolves to
 * the names of the handlers that heard of it, or null where the library offers none. `handlers` are the names of all.
 */
export async function serveReceiver({ challenge, receive, handlers }) {
  const heard = new Map(handlers.map((name) => [name, 0]));
  const server = createServer((request, response) => void handle(request, response));
  const handle = async (request, response) => {
    if (request.method === "GET") {
      const query = Object.fromEntries(new URL(request.url, "http://localhost").searchParams);
      const answer = await challenge(query).catch(() => null);
      return response.writeHead(answer === null ? 403 : 200).end(answer ?? "");
    }
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const delivery = Buffer.concat(chunks).toString("utf8");
    try {
      const names = await receive(delivery, request.headers["x-hub-signature-256"]);
      for (const name of names ?? []) heard.set(name, heard.get(name) + 1);
      say({ delivery, outcome: names === null ? "not offered" : "ok" });
    } catch (error) {
      say({ delivery, outcome: "failed", detail: String(error?.stack ?? error).slice(0, 600) });
    }
    response.end();
  };
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  say({ listening: `http://127.0.0.1:${server.address().port}/webhook` });
  await new Promise((resolve) => process.stdin.on("end", resolve).resume());
  say({ heard: Object.fromEntries(heard) });
  server.close();
  server.closeAllConnections();
}

const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
