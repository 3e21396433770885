import { templateTo } from "./tenants.ts";

type Content = (to: string, from: string) => object;

const ofType =
  (type: string, content: object): Content =>
  (to, from) => ({ to, from, type, [type]: content });

const button = (id: string, title: string): object => ({ type: "reply", reply: { id, title } });

/** What programs send beside templates; each but the template needs the person's open window. */
export const MIXED: readonly Content[] = [
  templateTo,
  ofType("text", { body: "Your parcel is on its way: https://example.com/parcels/17", preview_url: true }),
  ofType("image", { link: "https://example.com/parcel.jpg", caption: "It looks like this." }),
  ofType("document", { link: "https://example.com/invoice.pdf", filename: "invoice.pdf" }),
  ofType("location", { latitude: 37.48, longitude: -122.15, name: "Pick-up point", address: "1 Example Way" }),
  ofType("interactive", {
    type: "button",
    body: { text: "Shall we leave it with a neighbour?" },
    action: { buttons: [button("yes", "Yes"), button("no", "No")] },
  }),
  ofType("interactive", {
    type: "list",
    body: { text: "When shall we come again?" },
    action: {
      button: "Choose a time",
      sections: [
        { title: "Tomorrow", rows: ["8 to 10", "10 to 12", "14 to 16"].map((title) => ({ id: title, title })) },
      ],
    },
  }),
];
