import { Client } from "pg";

/** One connection for the length of `work`. */
export async function withClient<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url, application_name: "waypost tests" });
  // The server may end it between two statements; the next one says so.
  client.on("error", () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
