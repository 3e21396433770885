/**
 * A step of an erasure, as PL/pgSQL for a row `r` with workspace_id: the kept answers that have data of the `records`. Their keys are
 * known, and refused as expired ones are.
 */
export const FORGET_ANSWERS = `
  update idempotency_key i set status = null, answer = null, headers = null
  from (
    select distinct k.digest from kept_answer_contact k
    where k.workspace_id = r.workspace_id and k.contact_id = any(records)) k
  where i.workspace_id = r.workspace_id and i.digest = k.digest;
  delete from kept_answer_contact k where k.workspace_id = r.workspace_id and k.contact_id = any(records);`;
