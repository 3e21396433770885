//! wacloudapi: messages, media, templates, numbers, accounts, and types of callbacks.

mod manage;
mod parse;

use clients::{IMAGE, Outcome, World, attempt, env, expect_equal, not_offered};
use std::future::Future;
use wacloudapi::Client;
use wacloudapi::flows::FlowAction;
use wacloudapi::messages::{
    Button, Contact, ContactName, ContactPhone, ListRow, ListSection, MediaContent,
    TemplateComponent, TemplateParameter,
};
use wacloudapi::products::{ProductItem, ProductSection};
use wacloudapi::types::MessageResponse;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Outcome<()> {
    let world = World::from_env();
    let client = Client::with_config(
        world.get("token"),
        world.get("number"),
        "v24.0",
        env("SIMULATOR_URL"),
    );
    send_content(&client, &world).await;
    send_interactive(&client, &world).await;
    send_templates(&client, &world).await;
    manage::use_media(&client, &world).await;
    manage::answer_people(&client, &world).await;
    manage::manage_templates(&client, &world).await;
    manage::manage_account(&client, &world).await;
    parse::parse().await?;
    for one in [
        "send link button",
        "send carousel",
        "ask for location",
        "ask for address",
        "ask for contact",
        "ask for call permission",
        "send call button",
        "send template, named",
        "page through templates",
        "create template with a sample",
        "edit template",
        "list accounts of the business",
        "subscribe with a callback URL",
    ] {
        not_offered(one);
    }
    Ok(())
}

async fn send(
    operation: &str,
    world: &World,
    run: impl Future<Output = wacloudapi::Result<MessageResponse>>,
) {
    attempt(operation, async {
        let answer = run.await?;
        expect_equal(answer.messages[0].id.starts_with("wamid."), true, "an id")?;
        expect_equal(
            &answer.contacts[0].wa_id[..],
            &world.get("person")[1..],
            "the recipient",
        )
    })
    .await;
}

async fn send_content(client: &Client, world: &World) {
    let (to, inbound) = (world.get("person"), world.get("inbound"));
    let messages = client.messages();
    send("send text", world, messages.send_text(to, "Hello")).await;
    let reply = messages.send_reply(to, "Hello", inbound);
    send("send text that quotes", world, reply).await;
    let image = messages.send_image_url(to, IMAGE, Some("A"));
    send("send image by link", world, image).await;
    let video = messages.send_video_url(to, "https://cdn.example/a.mp4", None);
    send("send video by link", world, video).await;
    let audio = messages.send_audio_url(to, "https://cdn.example/a.ogg");
    send("send audio by link", world, audio).await;
    let document = messages.send_document_url(to, "https://cdn.example/a.pdf", Some("a.pdf"), None);
    send("send document by link", world, document).await;
    let sticker = messages.send_sticker_url(to, "https://cdn.example/a.webp");
    send("send sticker by link", world, sticker).await;
    let location = messages.send_location(to, -34.6, -58.38, Some("Obelisk"), Some("Buenos Aires"));
    send("send location", world, location).await;
    let contacts = messages.send_contacts(to, vec![card()]);
    send("send contacts", world, contacts).await;
    let reaction = messages.send_reaction(to, inbound, "👍");
    send("send reaction", world, reaction).await;
    let taken = messages.remove_reaction(to, inbound);
    send("take reaction back", world, taken).await;
}

fn card() -> Contact {
    Contact {
        name: ContactName {
            formatted_name: "Ana Diaz".into(),
            first_name: Some("Ana".into()),
            last_name: None,
            middle_name: None,
            suffix: None,
            prefix: None,
        },
        phones: Some(vec![ContactPhone {
            phone: "+15550001111".into(),
            phone_type: Some("CELL".into()),
            wa_id: Some("15550001111".into()),
        }]),
        emails: None,
        urls: None,
        addresses: None,
        org: None,
        birthday: None,
    }
}

async fn send_interactive(client: &Client, world: &World) {
    let (to, body) = (world.get("person"), "Choose one");
    let messages = client.messages();
    let products = client.products();
    let flows = client.flows();
    let buttons = vec![Button::reply("yes", "Yes"), Button::reply("no", "No")];
    let asked = messages.send_buttons(to, None, body, Some("Thanks"), buttons);
    send("send reply buttons", world, asked).await;
    let sections = vec![ListSection {
        title: "One".into(),
        rows: vec![ListRow::new("a", "A").with_description("First")],
    }];
    let listed = messages.send_list(to, None, body, None, "Open", sections);
    send("send list", world, listed).await;
    let action = FlowAction::Navigate;
    let flow = flows.send_flow(
        to, "token", "123456", "Book", action, "FIRST", None, None, body, None,
    );
    send("send flow", world, flow).await;
    let product = products.send_product(to, "cat-1", "sku-1", body, None);
    send("send product", world, product).await;
    let sections = vec![ProductSection::new("One", vec![ProductItem::new("sku-1")])];
    let several = products.send_product_list(to, "cat-1", "Ours", body, None, sections);
    send("send products", world, several).await;
    let catalog = products.send_catalog(to, body, None, Some("sku-1"));
    send("send catalog", world, catalog).await;
}

fn component(kind: &str, parameters: Vec<TemplateParameter>) -> TemplateComponent {
    TemplateComponent {
        component_type: kind.into(),
        sub_type: None,
        index: None,
        parameters: Some(parameters),
    }
}

fn url_button(value: &str) -> TemplateComponent {
    TemplateComponent {
        sub_type: Some("url".into()),
        index: Some("0".into()),
        ..component("button", vec![text(value)])
    }
}

fn text(value: &str) -> TemplateParameter {
    TemplateParameter {
        param_type: "text".into(),
        text: Some(value.into()),
        currency: None,
        date_time: None,
        image: None,
        document: None,
        video: None,
    }
}

fn image(link: &str) -> TemplateParameter {
    TemplateParameter {
        param_type: "image".into(),
        text: None,
        image: Some(MediaContent {
            id: None,
            link: Some(link.into()),
            caption: None,
            filename: None,
        }),
        ..text("")
    }
}

async fn send_templates(client: &Client, world: &World) {
    let messages = client.messages();
    let template = |name: &'static str, components| {
        messages.send_template(world.get("person"), name, "en_US", components)
    };
    send("send template", world, template("order_ready", None)).await;
    let body = component("body", vec![text("Ana"), text("A17")]);
    let positional = template("order_update", Some(vec![body]));
    send("send template, positional", world, positional).await;
    let parts = vec![
        component("header", vec![image(IMAGE)]),
        component("body", vec![text("Ana")]),
        url_button("A17"),
    ];
    let photo = template("client_photo", Some(parts));
    send("send template, media and buttons", world, photo).await;
    let parts = vec![
        component("body", vec![text("123456")]),
        url_button("123456"),
    ];
    let code = template("client_code", Some(parts));
    send("send template, authentication", world, code).await;
}
