//! Media, answers to people, templates, numbers and accounts.

use crate::send;
use clients::{PNG, World, attempt, expect_equal};
use std::future::Future;
use wacloudapi::phone_numbers::BusinessProfileUpdate;
use wacloudapi::templates::{
    CreateTemplate, HeaderFormat, TemplateButton, TemplateCategory, TemplateExample, TemplateStatus,
};
use wacloudapi::types::SuccessResponse;
use wacloudapi::{Client, Error};

async fn succeed(operation: &str, run: impl Future<Output = wacloudapi::Result<SuccessResponse>>) {
    attempt(operation, async {
        expect_equal(run.await?.success, true, "success")
    })
    .await;
}

pub async fn use_media(client: &Client, world: &World) {
    let media = client.media();
    let id = attempt("upload media", async {
        Ok(media.upload_bytes(&PNG, "a.png", "image/png").await?.id)
    })
    .await
    .unwrap_or_default();
    let messages = client.messages();
    let image = messages.send_image_id(world.get("person"), &id, None);
    send("send image by id", world, image).await;
    attempt("read media", async {
        let found = media.get_url(&id).await?;
        expect_equal(&found.mime_type[..], "image/png", "the type")?;
        expect_equal(found.file_size, PNG.len() as i64, "the size")
    })
    .await;
    attempt("download media", async {
        expect_equal(&media.download(&id).await?[..], &PNG[..], "the bytes")
    })
    .await;
    succeed("delete media", media.delete(&id)).await;
}

pub async fn answer_people(client: &Client, world: &World) {
    let (to, inbound) = (world.get("person"), world.get("inbound"));
    let messages = client.messages();
    succeed("mark as read", messages.mark_as_read(inbound)).await;
    succeed("show typing", client.typing().show(to)).await;
    attempt("refusal is an error with its code", async {
        match messages.send_template(to, "no_such", "en_US", None).await {
            Err(Error::Api { code, .. }) => expect_equal(code, 132001, "the code"),
            other => Err(format!("{other:?} instead of an error of the API").into()),
        }
    })
    .await;
}

pub async fn manage_templates(client: &Client, world: &World) {
    let templates = client.templates();
    let account = world.get("account");
    attempt("list templates", async {
        let found = templates
            .list_by_status(account, TemplateStatus::Paused)
            .await?;
        let names: Vec<_> = found.data.iter().map(|one| &one.name[..]).collect();
        expect_equal(names, ["paused_notice"], "the names")
    })
    .await;
    attempt("read template", async {
        // The filter finds names that contain the text.
        let found = templates.get_by_name(account, "order_ready").await?;
        let names: Vec<_> = found.data.iter().map(|one| &one.name[..]).collect();
        expect_equal(names, ["order_ready"], "the names")
    })
    .await;
    attempt("create template", async {
        let made = templates.create(account, &template()).await?;
        expect_equal(&made.status[..], "PENDING", "the status")
    })
    .await;
    succeed("delete template", templates.delete(account, "client_made")).await;
}

fn template() -> CreateTemplate {
    let stop = TemplateButton {
        button_type: "QUICK_REPLY".into(),
        text: "Stop".into(),
        url: None,
        phone_number: None,
    };
    let mut made = CreateTemplate::new("client_made", TemplateCategory::Utility, "en_US")
        .with_header(HeaderFormat::Text, Some("Order {{1}}".into()))
        .with_body("Hi {{1}}, it is on its way.")
        .with_footer("Thanks")
        .with_buttons(vec![stop]);
    // The builder has no way to give examples.
    let example = TemplateExample {
        header_handle: None,
        header_text: None,
        body_text: None,
    };
    made.components[0].example = Some(TemplateExample {
        header_text: Some(vec!["A17".into()]),
        ..example.clone()
    });
    made.components[1].example = Some(TemplateExample {
        body_text: Some(vec![vec!["Ana".into()]]),
        ..example
    });
    made
}

pub async fn manage_account(client: &Client, world: &World) {
    let account = world.get("account");
    let numbers = client.phone_numbers();
    let waba = client.waba(account);
    attempt("list numbers", async {
        let found = numbers.list(account).await?.data;
        let ids: Vec<_> = found.iter().map(|one| &one.id[..]).collect();
        expect_equal(ids, [world.get("number")], "the ids")
    })
    .await;
    attempt("read number, all its fields", async {
        let found = numbers.get(world.get("number")).await?;
        let read = [&found.verified_name[..], &found.quality_rating[..]];
        expect_equal(read, ["Demo Shop", "GREEN"], "the number")?;
        let verified = found.code_verification_status.as_deref();
        expect_equal(verified, Some("VERIFIED"), "the verification")?;
        expect_equal(
            found.platform_type.as_deref(),
            Some("CLOUD_API"),
            "the platform",
        )?;
        let level = found.throughput.map(|one| one.level);
        expect_equal(level.as_deref(), Some("STANDARD"), "the throughput")
    })
    .await;
    attempt("read account", async {
        let found = waba.get().await?;
        expect_equal(found.name.as_deref(), Some("Demo Shop"), "the name")
    })
    .await;
    let profile = BusinessProfileUpdate::new()
        .about("Open all day")
        .email("a@shop.example");
    let write = numbers.update_business_profile(&profile);
    succeed("write business profile", write).await;
    attempt("read business profile", async {
        let found = numbers.get_business_profile().await?;
        expect_equal(
            found.data[0].about.as_deref(),
            Some("Open all day"),
            "the text",
        )
    })
    .await;
    succeed("register number", numbers.register("123456")).await;
    succeed("unsubscribe", waba.unsubscribe_webhooks()).await;
}
