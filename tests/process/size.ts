/** True in `npm run faults`, which runs some of these files at their full size; `npm test` takes the small one. */
export const isFull = process.env["TEST_SIZE"] === "full";

export const sized = <Value>(small: Value, full: Value): Value => (isFull ? full : small);
