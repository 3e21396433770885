//! whatsapp-business-rs: messages, media, onboarding, and a server of callbacks that checks signatures.

use clients::{
    APP_SECRET, Callback, IMAGE, Outcome, PNG, World, attempt, callbacks, env, expect_equal,
    not_offered,
};
use futures::TryStreamExt;
use http::Request;
use std::sync::{Arc, Mutex};
use whatsapp_business_rs::catalog::ProductRef;
use whatsapp_business_rs::error::ServiceErrorKind;
use whatsapp_business_rs::message::{
    AudioExtension, CatalogDisplayOptions, Content, InteractiveAction, InteractiveMessage,
    IntoDraft, Media, MediaSource, MediaType, OptionButton, OptionList, ProductList, Section,
};
use whatsapp_business_rs::server::{ErrorContext, Event, EventContext, Handler, WabaEvent};
use whatsapp_business_rs::webhook_service::WebhookService;
use whatsapp_business_rs::{App, Business, Client, Draft, Error, Fields};

/// The variable that the feature test-mode reads.
const ADDRESS: &str = "API_BASE_URL_FOR_TESTING";

fn main() -> Outcome<()> {
    // SAFETY: no other thread is there yet.
    unsafe { std::env::set_var(ADDRESS, env("SIMULATOR_URL")) };
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?
        .block_on(use_client(World::from_env()))
}

async fn use_client(world: World) -> Outcome<()> {
    let client = Client::new(world.get("token")).await?;
    send_content(&client, &world).await;
    send_interactive(&client, &world).await;
    use_media(&client, &world).await;
    answer_people(&client, &world).await;
    manage_account(&client, &world).await;
    parse().await?;
    for one in [
        "send contacts",
        // Its emoji is one character, so none cannot be said.
        "take reaction back",
        "send flow",
        "send carousel",
        "ask for address",
        "ask for contact",
        "ask for call permission",
        "send call button",
        "send template",
        "send template, positional",
        "send template, named",
        "send template, media and buttons",
        "send template, authentication",
        "list templates",
        "page through templates",
        "read template",
        "create template",
        "create template with a sample",
        "edit template",
        "delete template",
        "read account",
        "list accounts of the business",
        "read business profile",
        "write business profile",
        "subscribe with a callback URL",
    ] {
        not_offered(one);
    }
    Ok(())
}

async fn send(operation: &str, client: &Client, world: &World, draft: impl IntoDraft) {
    let number = client.message(world.get("number"));
    attempt(operation, async {
        let sent = number.send(world.get("person"), draft).await?;
        expect_equal(sent.message_id().starts_with("wamid."), true, "an id")
    })
    .await;
}

async fn send_content(client: &Client, world: &World) {
    let send = |operation, draft: Draft| send(operation, client, world, draft);
    let hello = Draft::text("Hello").with_biz_opaque_callback_data("opaque");
    send("send text", hello).await;
    let reply = Draft::text("Hello").reply_to(message(world));
    send("send text that quotes", reply).await;
    let image = Media::jpeg(IMAGE).caption("A");
    send("send image by link", Draft::media(image)).await;
    let video = Media::mp4("https://cdn.example/a.mp4");
    send("send video by link", Draft::media(video)).await;
    let ogg = MediaType::Audio(AudioExtension::Ogg);
    let audio = Media::new("https://cdn.example/a.ogg", ogg);
    send("send audio by link", Draft::media(audio)).await;
    let document = Media::pdf("https://cdn.example/a.pdf", "a.pdf");
    send("send document by link", Draft::media(document)).await;
    let sticker = Media::sticker("https://cdn.example/a.webp");
    send("send sticker by link", Draft::media(sticker)).await;
    let location = Draft::location(-34.6, -58.38)
        .location_name("Obelisk")
        .location_address("Buenos Aires");
    send("send location", location).await;
    send("send reaction", Draft::react('👍', message(world))).await;
}

fn message(world: &World) -> whatsapp_business_rs::message::MessageRef {
    world.get("inbound").into()
}

async fn send_interactive(client: &Client, world: &World) {
    let interactive = |operation, action: InteractiveAction| {
        let asked = InteractiveMessage::new(action, "Choose one");
        send(operation, client, world, asked)
    };
    let buttons = Draft::text("Choose one")
        .add_reply_button("yes", "Yes")
        .add_reply_button("no", "No")
        .footer("Thanks");
    send("send reply buttons", client, world, buttons).await;
    let section = Section::new("One", [OptionButton::new("First", "A", "a")]);
    let list = OptionList::new_section(section, "Open");
    interactive("send list", list.into()).await;
    let link = Draft::text("Choose one").with_cta_url("https://shop.example/a", "Open");
    send("send link button", client, world, link).await;
    let product = ProductRef::from_product_retailer_id("sku-1");
    let shown = product.clone().with_catalog("cat-1");
    interactive("send product", shown.into()).await;
    let section = Section::new("One", [product.clone()]);
    let products = ProductList::new_section(section, "cat-1");
    let several = InteractiveMessage::new(products, "Choose one")
        .header(whatsapp_business_rs::message::Text::from("Ours"));
    send("send products", client, world, several).await;
    let catalog = CatalogDisplayOptions::from_thumbnail(product);
    interactive("send catalog", catalog.into()).await;
    interactive("ask for location", InteractiveAction::LocationRequest).await;
}

async fn use_media(client: &Client, world: &World) {
    let number = client.message(world.get("number"));
    let png = Media::png(Vec::new()).media_type;
    let id = attempt("upload media", async {
        Ok(number.upload_media(PNG.to_vec(), png, "a.png").await?)
    })
    .await
    .unwrap_or_default();
    let image = Media::png(MediaSource::id(&id));
    let draft = Draft::media(image.clone());
    send("send image by id", client, world, draft).await;
    attempt("read media", async {
        // The other fields are not read by it.
        let info = number.get_media_info(&id).await?;
        let ours = info.url().starts_with(&env("SIMULATOR_URL"));
        expect_equal(ours, true, "whether the address is ours")
    })
    .await;
    attempt("download media", async {
        let mut bytes = Vec::new();
        let content = Content::Media(image);
        let download = content.download_media(&mut bytes, client);
        download.ok_or("it is no media")?.await?;
        expect_equal(&bytes[..], &PNG[..], "the bytes")
    })
    .await;
    attempt("delete media", async {
        Ok(number.delete_media(&id).await?)
    })
    .await;
}

async fn answer_people(client: &Client, world: &World) {
    let number = client.message(world.get("number"));
    attempt("mark as read", async {
        Ok(number.set_read(message(world)).await?)
    })
    .await;
    attempt("show typing", async {
        Ok(number.set_replying(message(world)).await?)
    })
    .await;
    attempt("refusal is an error with its code", async {
        let sent = number.send(world.get("person"), Draft::text("Hello"));
        let Err(Error::Service(error)) = sent.with_auth("wrong").await else {
            return Err("no error of the API".into());
        };
        let ServiceErrorKind::Api(refusal) = error.kind() else {
            return Err(format!("{error} is no refusal").into());
        };
        expect_equal(refusal.error.code, 190, "the code")?;
        expect_equal(refusal.error.fbtrace_id.is_some(), true, "the trace")
    })
    .await;
}

async fn manage_account(client: &Client, world: &World) {
    let waba = client.waba(world.get("account"));
    attempt("list numbers", async {
        let found: Vec<_> = waba
            .list_phone_numbers()
            .into_stream()
            .try_collect()
            .await?;
        let ids: Vec<_> = found.iter().map(|one| &one.id[..]).collect();
        expect_equal(ids, [world.get("number")], "the ids")
    })
    .await;
    attempt("read number, all its fields", async {
        let listed = waba.list_phone_numbers().metadata(Fields::all());
        let found: Vec<_> = listed.into_stream().try_collect().await?;
        let read = &found[0].metadata;
        expect_equal(read.verified_name.as_deref(), Some("Demo Shop"), "the name")?;
        expect_equal(read.quality_rating.as_deref(), Some("GREEN"), "the quality")
    })
    .await;
    let app = client.app(App::new("42"));
    let business = Business::new(world.get("account"), world.get("number"));
    attempt("register number", async {
        let begun = app.start_onboarding(&business);
        let known = begun.get_access_token("code-9001", env(APP_SECRET)).await?;
        let _registered = known
            .subscribe()
            .await?
            .register_phone_number("123456")
            .await?;
        Ok(())
    })
    .await;
    attempt("unsubscribe", async {
        Ok(app.unsubscribe(&business).await?)
    })
    .await;
}

/// Keeps what the server hands over: an id for each event, and the errors.
#[derive(Clone, Default)]
struct Kept {
    ids: Arc<Mutex<Vec<String>>>,
    errors: Arc<Mutex<Vec<String>>>,
}

impl Handler for Kept {
    async fn handle(&self, _context: EventContext, event: Event) {
        let id = match event {
            Event::IncomingMessage(given) => given.message().id.clone(),
            Event::MessageUpdate(given) => given.message.message_id().to_owned(),
            Event::Waba(WabaEvent::PartnerAdded(given)) => given.waba_id,
            other => format!("{other:?}"),
        };
        self.ids.lock().unwrap().push(id);
    }

    async fn handle_error(&self, _context: ErrorContext, error: Box<dyn std::error::Error + Send>) {
        self.errors.lock().unwrap().push(error.to_string());
    }
}

async fn parse() -> Outcome<()> {
    let all = callbacks()?;
    for callback in &all {
        if is_read(callback) {
            attempt(&callback.operation, read(callback)).await;
        } else {
            not_offered(&callback.operation);
        }
    }
    attempt("check signatures", async {
        let right = post(&all[0], &all[0].signature, Kept::default()).await?;
        let wrong = post(&all[0], &all[1].signature, Kept::default()).await?;
        expect_equal([right, wrong], [200, 401], "right and wrong")
    })
    .await;
    Ok(())
}

/// Messages, statuses and the addition of a partner are what it has events for.
fn is_read(callback: &Callback) -> bool {
    callback.changes().all(|change| {
        let value = &change["value"];
        let field = change["field"].as_str().unwrap_or_default();
        let messages = field == "messages";
        (messages && (value["messages"].is_array() || value["statuses"].is_array()))
            || (field == "account_update" && value["event"] == "PARTNER_ADDED")
    })
}

async fn read(callback: &Callback) -> Outcome<()> {
    let kept = Kept::default();
    let status = post(callback, &callback.signature, kept.clone()).await?;
    let errors = kept.errors.lock().unwrap().join(" ");
    expect_equal((status, &errors[..]), (200, ""), "status and errors")?;
    let mut expected = callback.ids("messages");
    expected.extend(callback.ids("statuses"));
    for change in callback.changes() {
        expected.extend(change["value"]["waba_info"]["waba_id"].as_str());
    }
    expect_equal(&kept.ids.lock().unwrap()[..], &expected[..], "the events")
}

/// Resolves to the status of its answer, when the handler was called with all events.
async fn post(callback: &Callback, signature: &str, kept: Kept) -> Outcome<u16> {
    let service = WebhookService::<Kept>::builder()
        .verify_payload(env(APP_SECRET))
        .build(kept);
    let request = Request::post("/callbacks")
        .header("x-hub-signature-256", signature)
        .body(callback.body.clone())?;
    let status = service.handle(request).await.status().as_u16();
    // Each event has a task of its own: they are ahead of this one in the queue of the only thread.
    tokio::task::yield_now().await;
    Ok(status)
}
