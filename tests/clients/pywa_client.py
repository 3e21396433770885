"""pywa: nearly the whole Cloud API, with typed answers and callbacks."""

import json
import logging
import os
import sys
import traceback

import httpx
from pywa import WhatsApp, errors, types
from pywa._logging import get_update_hash
from pywa.types import templates as t
from pywa.types.base_update import RawUpdate

WORLD = json.loads(os.environ["WORLD"])
PERSON = WORLD["person"]
INBOUND = WORLD["inbound"]
IMAGE = "https://cdn.example/a.jpg"
PNG = bytes.fromhex("89504e470d0a1a0a0000000d49484452")


class Redirected(httpx.BaseTransport):
    """The library has the provider's address built in; everything behind the host stays as it is."""

    def __init__(self):
        self._inner = httpx.HTTPTransport()
        self._target = httpx.URL(os.environ["SIMULATOR_URL"])

    def handle_request(self, request):
        target = self._target
        request.url = request.url.copy_with(scheme=target.scheme, host=target.host, port=target.port)
        request.headers["Host"] = f"{target.host}:{target.port}"
        return self._inner.handle_request(request)


wa = WhatsApp(
    phone_id=WORLD["number"],
    token=WORLD["token"],
    session=httpx.Client(transport=Redirected(), timeout=20),
    waba_id=WORLD["account"],
    business_portfolio_id=WORLD["business"],
    app_id="42",
    app_secret=os.environ["APP_SECRET"],
    filter_updates=False,
    skip_duplicate_updates=False,
)


def say(operation, outcome, detail=None):
    print(json.dumps({"operation": operation, "outcome": outcome, "detail": detail}), flush=True)


def attempt(operation, run):
    """Runs one operation; what it raises is its failure. Returns what it returned, or None."""
    try:
        result = run()
    except Exception:
        say(operation, "failed", traceback.format_exc()[-900:])
        return None
    say(operation, "ok")
    return result


def expect_equal(found, expected, what):
    if found != expected:
        raise AssertionError(f"{what}: {found!r} instead of {expected!r}")


def send(operation, method, *args, **kwargs):
    def run():
        sent = getattr(wa, method)(PERSON, *args, **kwargs)
        if not sent.id.startswith("wamid."):
            raise AssertionError("the answer has no message id")

    attempt(operation, run)


def send_content():
    send("send text", "send_message", "Hello", tracker="opaque")
    send("send text that quotes", "send_message", "Hello", reply_to_message_id=INBOUND)
    send("send image by link", "send_image", IMAGE, caption="A")
    send("send video by link", "send_video", "https://cdn.example/a.mp4")
    send("send audio by link", "send_audio", "https://cdn.example/a.ogg")
    send("send document by link", "send_document", "https://cdn.example/a.pdf", filename="a.pdf")
    send("send sticker by link", "send_sticker", "https://cdn.example/a.webp")
    send("send location", "send_location", -34.6, -58.38, "Obelisk", "Buenos Aires")
    card = types.Contact(
        name=types.Contact.Name(formatted_name="Ana Diaz", first_name="Ana"),
        phones=[types.Contact.Phone(phone="+15550001111", type="CELL", wa_id="15550001111")],
    )
    send("send contacts", "send_contact", card)
    send("send reaction", "send_reaction", "👍", INBOUND)
    attempt("take reaction back", lambda: wa.remove_reaction(PERSON, INBOUND))


def send_interactive():
    text = "Choose one"
    buttons = [types.Button("Yes", callback_data="yes"), types.Button("No", callback_data="no")]
    send("send reply buttons", "send_message", text, buttons=buttons, footer="Thanks")
    rows = [types.SectionRow("A", callback_data="a", description="First")]
    listed = types.SectionList("Open", sections=[types.Section("One", rows=rows)])
    send("send list", "send_message", text, buttons=listed)
    send("send link button", "send_message", text, buttons=types.URLButton("Open", url="https://shop.example/a"))
    flow = types.FlowButton(
        title="Book",
        flow_id="123456",
        flow_token="token",
        flow_action_type=types.FlowActionType.NAVIGATE,
        flow_action_screen="FIRST",
    )
    send("send flow", "send_message", text, buttons=flow)
    send("send product", "send_product", "cat-1", "sku-1", body=text)
    sections = [types.ProductsSection(title="One", skus=["sku-1"])]
    send("send products", "send_products", "cat-1", sections, "Ours", text)
    send("send catalog", "send_catalog", text, thumbnail_product_sku="sku-1")
    cards = [types.ImageCarouselCard(image=IMAGE, body="A", buttons=types.URLButton("Open", url=IMAGE)) for _ in "12"]
    send("send carousel", "send_carousel", body=text, cards=cards)
    send("ask for location", "request_location", text)
    send("ask for contact", "request_contact_info", text)
    send("ask for call permission", "send_message", text, buttons=types.CallPermissionRequestButton())
    send("send call button", "send_message", text, buttons=types.VoiceCallButton(title="Call", ttl_minutes=60))


def send_templates():
    english = t.TemplateLanguage.ENGLISH_US

    def template(operation, name, params=()):
        send(operation, "send_template", name=name, language=english, params=list(params))

    template("send template", "order_ready")
    template("send template, positional", "order_update", [t.BodyText.params("Ana", "A17")])
    named = [t.BodyText.params(order_no="A17", first_name="Ana")]
    template("send template, named", "order_update_named", named)
    photo = [
        t.HeaderImage.params(image=IMAGE),
        t.BodyText.params("Ana"),
        t.URLButton.params(url_variable="A17", index=0),
        t.QuickReplyButton.params(callback_data="STOP", index=1),
    ]
    template("send template, media and buttons", "client_photo", photo)
    code = [t.AuthenticationBody.params(otp="123456"), t.OneTapOTPButton.params(otp="123456")]
    template("send template, authentication", "client_code", code)


def use_media():
    media = attempt("upload media", lambda: wa.upload_media(PNG, mime_type="image/png", filename="a.png"))
    media_id = None if media is None else media.id
    send("send image by id", "send_image", media_id)

    def read():
        found = wa.get_media_url(media_id)
        expect_equal((found.mime_type, int(found.file_size)), ("image/png", len(PNG)), "the media")
        return found.url

    url = attempt("read media", read)
    attempt("download media", lambda: expect_equal(wa.get_media_bytes(url), PNG, "the bytes"))
    attempt("delete media", lambda: expect_equal(bool(wa.delete_media(media_id)), True, "success"))


def answer_people():
    attempt("mark as read", lambda: expect_equal(bool(wa.mark_message_as_read(INBOUND)), True, "success"))
    attempt("show typing", lambda: expect_equal(bool(wa.indicate_typing(INBOUND)), True, "success"))

    def refused():
        try:
            wa.send_template(PERSON, "no_such", t.TemplateLanguage.ENGLISH_US, [])
        except errors.WhatsAppError as error:
            expect_equal((error.code, type(error.fbtrace_id)), (132001, str), "the error")
        else:
            raise AssertionError("it was accepted")

    attempt("refusal is an error with its code", refused)


def manage_templates():
    def listed():
        found = wa.get_templates(statuses=[t.TemplateStatus.PAUSED])
        expect_equal([one.name for one in found], ["paused_notice"], "the names")
        expect_equal(found.total_count, 1, "the count")

    attempt("list templates", listed)

    def paged():
        # Its own next() of templates is broken: it calls its constructor with an argument that it does not take.
        found = wa.get_templates(pagination=types.Pagination(limit=3))
        names = [one.name for one in found]
        while found.has_next:
            found = wa.get_templates(pagination=types.Pagination(limit=3, after=found.after))
            names += [one.name for one in found]
        expect_equal((len(names), len(set(names))), (8, 8), "the names")
        while found.has_previous:
            found = wa.get_templates(pagination=types.Pagination(limit=3, before=found.before))
        expect_equal([one.name for one in found], names[:3], "the first page")

    attempt("page through templates", paged)
    attempt("read template", lambda: expect_equal(wa.get_template("1689556908129832").name, "order_ready", "the name"))

    def create():
        made = wa.create_template(
            t.Template(
                name="client_made",
                category=t.TemplateCategory.UTILITY,
                language=t.TemplateLanguage.ENGLISH_US,
                parameter_format=t.ParamFormat.NAMED,
                components=[
                    t.HeaderText("Order {{order_no}}", order_no="A17"),
                    t.BodyText("Hi {{first_name}}, it is on its way.", first_name="Ana"),
                    t.FooterText(text="Thanks"),
                    t.Buttons(buttons=[t.QuickReplyButton(text="Stop"), t.URLButton(text="Open", url=IMAGE)]),
                ],
            )
        )
        expect_equal(made.status, t.TemplateStatus.PENDING, "the status")

    attempt("create template", create)

    def create_with_sample():
        made = wa.create_template(
            t.Template(
                name="client_pictured",
                category=t.TemplateCategory.MARKETING,
                language=t.TemplateLanguage.ENGLISH_US,
                components=[t.HeaderImage(example=PNG, mime_type="image/png"), t.BodyText("It is here.")],
            )
        )
        header = wa.get_template(made.id).components[0]
        expect_equal(str(header.example).startswith("4::"), True, f"a handle as the sample ({header.example})")

    attempt("create template with a sample", create_with_sample)

    def edit():
        wa.update_template("1689556908129832", new_components=[t.BodyText("Your order is here.")])
        expect_equal(wa.get_template("1689556908129832").status, t.TemplateStatus.PENDING, "the status")

    attempt("edit template", edit)
    attempt("delete template", lambda: expect_equal(bool(wa.delete_template("client_made")), True, "success"))


def manage_account():
    attempt("list numbers", lambda: expect_equal([one.id for one in wa.get_business_phone_numbers()], ["1055"], "ids"))

    def number():
        found = wa.get_business_phone_number()
        expect_equal((found.verified_name, str(found.quality_rating)), ("Demo Shop", "GREEN"), "the number")

    attempt("read number, all its fields", number)
    attempt("read account", lambda: expect_equal(wa.get_business_account().name, "Demo Shop", "the name"))
    owned = lambda: expect_equal([one.id for one in wa.get_owned_business_accounts()], ["9001"], "the ids")  # noqa: E731
    attempt("list accounts of the business", owned)
    profile = {"about": "Open all day", "email": "a@shop.example"}
    attempt("write business profile", lambda: expect_equal(bool(wa.update_business_profile(**profile)), True, "success"))
    attempt("read business profile", lambda: expect_equal(wa.get_business_profile().about, "Open all day", "the text"))
    attempt("register number", lambda: expect_equal(bool(wa.register_phone_number("123456")), True, "success"))
    url, token = os.environ["CALLBACK_URL"], os.environ["VERIFY_TOKEN"]
    subscribe = lambda: expect_equal(bool(wa.override_waba_callback_url(url, token)), True, "success")  # noqa: E731
    attempt("subscribe with a callback URL", subscribe)


class Complaints(logging.Handler):
    """The library logs what it cannot construct, and goes on."""

    def __init__(self):
        super().__init__(logging.ERROR)
        self.found = []

    def emit(self, record):
        self.found.append(self.format(record))


def parse():
    complaints = Complaints()
    logger = logging.getLogger("pywa")
    logger.addHandler(complaints)
    logger.propagate = False
    handled = []
    unheard = {kind.__name__ for kind in wa._handlers_to_updates}
    for kind in wa._handlers_to_updates:
        wa.add_handlers(kind(lambda _, update: handled.append(update)))
    with open(os.environ["CALLBACKS"], encoding="utf8") as file:
        callbacks = json.load(file)
    for callback in callbacks:
        handled.clear()
        complaints.found.clear()
        kind = handler_of(callback["body"].encode())
        parse_one(callback, kind, handled, complaints)
        if handled and callback["name"].startswith("live: "):
            unheard.discard(kind.__name__)
    # At a gateway it reads two callbacks, and none of them is the simulator's.
    are_live = any(callback["name"].startswith("live: ") for callback in callbacks)
    for kind in wa._handlers_to_updates if are_live else []:
        name = kind.__name__
        if name in unheard:
            say(f"hear {name}", "failed", "it got no callback of the simulator that could be read")
        else:
            say(f"hear {name}", "ok")


def check_signatures():
    with open(os.environ["CALLBACKS"], encoding="utf8") as file:
        one, other = json.load(file)[:2]
    found = [wa.webhook_update_validator(one["body"].encode(), by["signature"]) is None for by in (one, other)]
    expect_equal(found, [True, False], "right and wrong")


def parse_one(callback, kind, handled, complaints):
    operation, body = f"parse {callback['name']}", callback["body"].encode()
    if kind is None:
        return say(operation, "not offered")

    def run():
        expect_equal(wa.webhook_update_validator(body, callback["signature"]), None, "the validation")
        expect_equal(wa.webhook_update_handler(body)[1], 200, "the status")
        if complaints.found:
            raise AssertionError(complaints.found[0])
        expect_equal(len(handled), 1, "the updates that were handled")

    attempt(operation, run)


def handler_of(body):
    """The handler that the library itself chooses for such a callback, of which it reads the first change only; or None."""
    try:
        return wa._get_handler_type(RawUpdate(body, hmac_header=None, update_hash=get_update_hash(body)))
    except (KeyError, ValueError, TypeError, IndexError):
        return type(None)  # The library complains of it, and so it is a failure.


send_content()
send_interactive()
send_templates()
use_media()
answer_people()
manage_templates()
manage_account()
parse()
attempt("check signatures", check_signatures)
say("ask for address", "not offered")
attempt("unsubscribe", lambda: expect_equal(bool(wa.delete_waba_callback_url()), True, "success"))
sys.exit(0)
