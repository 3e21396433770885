//! For the clients in Rust: one line of JSON for each operation, which the runner reads.

use serde_json::{Value, json};
use std::error::Error;
use std::fmt::Debug;
use std::future::Future;

pub type Outcome<T> = Result<T, Box<dyn Error>>;

pub const IMAGE: &str = "https://cdn.example/a.jpg";
pub const PNG: [u8; 16] = *b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
/// The variable with the app's secret, which signatures are made with.
pub const APP_SECRET: &str = "APP_SECRET";
/// Characters of a failure's text that are reported.
const DETAIL_CHARS: usize = 600;

/// What the simulator is prepared with: `token`, `number`, `account`, `person`, `inbound` and others.
pub struct World(Value);

impl World {
    pub fn from_env() -> Self {
        World(serde_json::from_str(&env("WORLD")).expect("WORLD is JSON"))
    }

    pub fn get(&self, name: &str) -> &str {
        self.0[name]
            .as_str()
            .unwrap_or_else(|| panic!("the world has no {name}"))
    }
}

/// A callback of the documentation or of the simulator, as it is posted, with its signature.
pub struct Callback {
    pub operation: String,
    pub body: String,
    pub signature: String,
    pub payload: Value,
}

pub fn callbacks() -> Outcome<Vec<Callback>> {
    let all: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(env("CALLBACKS"))?)?;
    let text = |one: &Value, key: &str| one[key].as_str().unwrap_or_default().to_owned();
    all.iter()
        .map(|one| {
            let body = text(one, "body");
            Ok(Callback {
                operation: format!("parse {}", text(one, "name")),
                signature: text(one, "signature"),
                payload: serde_json::from_str(&body)?,
                body,
            })
        })
        .collect()
}

impl Callback {
    /// The changes of all entries: `{field, value}`.
    pub fn changes(&self) -> impl Iterator<Item = &Value> {
        let entries = self.payload["entry"].as_array().into_iter().flatten();
        entries.flat_map(|entry| entry["changes"].as_array().into_iter().flatten())
    }

    /// The ids within the lists called `key`; one documented payload has something in place of a list.
    pub fn ids(&self, key: &str) -> Vec<&str> {
        let lists = self
            .changes()
            .filter_map(|change| change["value"][key].as_array());
        lists
            .flatten()
            .filter_map(|one| one["id"].as_str())
            .collect()
    }
}

pub fn env(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("{name} is not set"))
}

/// Runs one operation; its error is its failure. Returns what it returned, or None.
pub async fn attempt<T>(operation: &str, run: impl Future<Output = Outcome<T>>) -> Option<T> {
    match run.await {
        Ok(result) => {
            say(operation, "ok", None);
            Some(result)
        }
        Err(error) => {
            let detail = format!("{error} {error:?}");
            say(
                operation,
                "failed",
                Some(detail.chars().take(DETAIL_CHARS).collect()),
            );
            None
        }
    }
}

pub fn not_offered(operation: &str) {
    say(operation, "not offered", None);
}

pub fn expect_equal<T: PartialEq<U> + Debug, U: Debug>(
    found: T,
    expected: U,
    what: &str,
) -> Outcome<()> {
    if found == expected {
        return Ok(());
    }
    Err(format!("{what}: {found:?} instead of {expected:?}").into())
}

fn say(operation: &str, outcome: &str, detail: Option<String>) {
    println!(
        "{}",
        json!({ "operation": operation, "outcome": outcome, "detail": detail })
    );
}
