//! It reads the field messages, into types and into a list of events.

use clients::{APP_SECRET, Callback, Outcome, attempt, callbacks, env, expect_equal, not_offered};
use wacloudapi::webhooks::{WebhookPayload, verify_signature};

pub async fn parse() -> Outcome<()> {
    let all = callbacks()?;
    for callback in &all {
        if callback
            .changes()
            .all(|change| change["field"] == "messages")
        {
            attempt(&callback.operation, async { read(callback) }).await;
        } else {
            not_offered(&callback.operation);
        }
    }
    // Apart from the others: its answer is the same for every callback.
    let Callback {
        body, signature, ..
    } = &all[0];
    let secret = env(APP_SECRET);
    attempt("check signatures", async {
        let right = verify_signature(body.as_bytes(), signature, &secret);
        let wrong = verify_signature(b"other", signature, &secret);
        expect_equal([right, wrong], [true, false], "right and wrong")
    })
    .await;
    Ok(())
}

fn read(callback: &Callback) -> Outcome<()> {
    let parsed: WebhookPayload = serde_json::from_str(&callback.body)?;
    let values: Vec<_> = parsed
        .entry
        .iter()
        .flat_map(|entry| &entry.changes)
        .map(|change| &change.value)
        .collect();
    let messages = values
        .iter()
        .flat_map(|value| value.messages.iter().flatten());
    let statuses = values
        .iter()
        .flat_map(|value| value.statuses.iter().flatten());
    let messages: Vec<_> = messages.map(|one| &one.id[..]).collect();
    let statuses: Vec<_> = statuses.map(|one| &one.id[..]).collect();
    expect_equal(&messages, &callback.ids("messages"), "the messages")?;
    expect_equal(&statuses, &callback.ids("statuses"), "the statuses")?;
    let count = messages.len() + statuses.len();
    expect_equal(parsed.events().len(), count, "the events")
}
