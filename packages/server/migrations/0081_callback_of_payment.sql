-- As of a status that waits for its message: the raw callback that reported the payment.
alter table parked_payment add column callback_id uuid;
