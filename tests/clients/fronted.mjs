// A gateway as the clients' provider: they have its address, and a key of a workspace as their token.
import { startGateway, until } from "./gateway.mjs";
import { ACCOUNT, NUMBER, PERSON } from "./people.mjs";
import { APP_SECRET, TEMPLATES } from "./world.mjs";

/** A gateway for one client: templates of every form, an open window and a message to answer. */
export async function startFront(simulatorModule, serverModule) {
  const gateway = await startGateway(simulatorModule, serverModule, TEMPLATES);
  const { url, simulator, mine, stop } = gateway;
  try {
    await mine("PATCH", "/v1/workspace", { front_app_secret: APP_SECRET });
    simulator.setCallbackUrl(`${url}/webhooks/receive`);
    const { id } = simulator.inbound({ phone_number_id: NUMBER, from: PERSON, text: "Hi" });
    const inbound = `/v1/messages?provider_message_id=${encodeURIComponent(id)}`;
    await until(async () => (await mine("GET", inbound)).data.length > 0, "the message to answer");
    const world = { token: mine.key, number: NUMBER, account: ACCOUNT, business: "7001", person: PERSON, inbound: id };
    // It answers some with an id of its own before the pace of their recipient lets them go.
    const count = async () => (await mine("GET", "/v1/messages?direction=outbound&limit=100")).data.length;
    return { url, count, world, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
