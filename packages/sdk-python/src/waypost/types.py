# Made by `npm run generate` from the route table. Do not edit.

"""The schemas of the API by their names, as the reference calls them. Objects are dicts; a newer gateway may give them more fields."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union

from ._names import NotRequired


class Problem(TypedDict):
    """An error (RFC 9457). Act on `code`; `title` and `detail` are for humans and may change."""

    type: str
    """The address of the code's page, relative to the gateway's where that is not configured (`PUBLIC_URL`)."""
    title: str
    status: int
    detail: str
    code: Literal["invalid_json", "invalid_request", "unauthorized", "forbidden", "not_found", "method_not_allowed", "conflict", "contact_exists", "idempotency_in_progress", "idempotency_key_expired", "precondition_failed", "payload_too_large", "unsupported_media_type", "idempotency_key_reused", "invalid_phone_number", "reference_not_found", "template_not_found", "template_not_approved", "template_parameters_mismatch", "window_closed", "thread_not_owned", "recipient_opted_out", "sender_unavailable", "media_not_found", "endpoint_unverified", "provider_rejected", "provider_unavailable", "rate_limited", "messaging_limit_reached", "queue_full", "internal", "unavailable"]
    request_id: str
    """Identifies the request in the gateway's log and audit log."""
    retryable: bool
    """Whether the same request may succeed later without a change."""
    resource_id: NotRequired[str]
    """The resource that the error is about, if there is one."""
    errors: NotRequired[List[ProblemErrorsItem]]
    """Each place in the request that is not valid."""
    provider: NotRequired[ProblemProvider]
    """The provider's own error, if it reported one."""


class ProblemErrorsItem(TypedDict):
    pointer: str
    """JSON pointer into the body, or `?name` for the query; empty for the whole body."""
    code: str
    """A stable code for what is wrong there."""
    detail: str
    """A human-readable explanation."""


class ProblemProvider(TypedDict):
    """The provider's own error, if it reported one."""

    code: int
    subcode: Optional[int]
    title: str
    details: Optional[str]
    trace_id: Optional[str]
    """Identifies the request to the provider's support."""


SendMessage = Union["SendTemplateMessage", "SendTextMessage", "SendImageMessage", "SendVideoMessage", "SendAudioMessage", "SendDocumentMessage", "SendStickerMessage", "SendLocationMessage", "SendContactsMessage", "SendInteractiveMessage", "SendReactionMessage"]


_SendTemplateMessageWords = TypedDict("_SendTemplateMessageWords", {"from": "NotRequired[str]"})


class SendTemplateMessage(_SendTemplateMessageWords):
    """An approved template. Can be sent at any time."""

    to: str
    """The recipient: a phone number in E.164 format with `+` (spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped), a contact id or a business-scoped user id."""
    type: Literal["template"]
    template: MessageTemplate
    reply_to: NotRequired[str]
    """The id of the message to quote."""
    reference: NotRequired[str]
    """Your own reference; returned with the message and its events."""
    send_at: NotRequired[str]
    """The earliest time to send the message, up to 30 days ahead; one up to a minute ago is now."""
    expires_at: NotRequired[str]
    """When the message becomes `expired` if it was not dispatched before."""
    take: NotRequired[bool]
    """Send although another responder owns the conversation, which takes it over. Without it a free-form message is refused with `thread_not_owned`; templates go anyway."""
    on_unknown: NotRequired[Literal["hold", "resend_once"]]
    """What to do if the provider's response was lost."""


class MessageTemplate(TypedDict):
    """An approved template of the sender."""

    name: str
    language: MessageTemplateLanguage
    components: NotRequired[List[TemplateComponent]]
    """The parameters in the provider's format; checked against the template's definition."""


class MessageTemplateLanguage(TypedDict):
    code: str
    policy: NotRequired[Literal["deterministic"]]


TemplateComponent = Union["TemplateHeader", "TemplateBody", "TemplateFooter", "TemplateButton", "TemplateOffer", "TemplateCarousel", Dict[str, Any]]
"""The parameters of one component; `type` says of which, in any case."""


class TemplateHeader(TypedDict):
    """The text, media, location or product of the header."""

    type: Literal["header"]
    parameters: NotRequired[List[TemplateHeaderParameter]]


TemplateHeaderParameter = Union["TextParameter", "ImageParameter", "VideoParameter", "GifParameter", "DocumentParameter", "LocationParameter", "ProductParameter", Dict[str, Any]]


class TextParameter(TypedDict):
    type: Literal["text"]
    text: NotRequired[str]
    parameter_name: NotRequired[str]
    """Of a template with named parameters."""


class ImageParameter(TypedDict):
    type: Literal["image"]
    image: NotRequired[ImageParameterImage]


class ImageParameterImage(TypedDict):
    id: NotRequired[str]
    """The id of media that is available: `med_…`."""
    link: NotRequired[str]
    """The URL of the file, which the provider downloads. It keeps the file of a URL for 10 minutes."""


class VideoParameter(TypedDict):
    type: Literal["video"]
    video: NotRequired[VideoParameterVideo]


class VideoParameterVideo(TypedDict):
    id: NotRequired[str]
    """The id of media that is available: `med_…`."""
    link: NotRequired[str]
    """The URL of the file, which the provider downloads. It keeps the file of a URL for 10 minutes."""


class GifParameter(TypedDict):
    type: Literal["gif"]
    gif: NotRequired[GifParameterGif]


class GifParameterGif(TypedDict):
    id: NotRequired[str]
    """The id of media that is available: `med_…`."""
    link: NotRequired[str]
    """The URL of the file, which the provider downloads. It keeps the file of a URL for 10 minutes."""


class DocumentParameter(TypedDict):
    type: Literal["document"]
    document: NotRequired[DocumentParameterDocument]


class DocumentParameterDocument(TypedDict):
    id: NotRequired[str]
    """The id of media that is available: `med_…`."""
    link: NotRequired[str]
    """The URL of the file, which the provider downloads. It keeps the file of a URL for 10 minutes."""
    filename: NotRequired[str]
    """The name that the person sees; its extension decides about the icon."""


class LocationParameter(TypedDict):
    type: Literal["location"]
    location: NotRequired[LocationParameterLocation]
    """A place, in degrees of WGS 84."""


class LocationParameterLocation(TypedDict):
    """A place, in degrees of WGS 84."""

    latitude: Union[float, str]
    """Degrees from -90 to 90, as a number or as a text of its digits."""
    longitude: Union[float, str]
    """Degrees from -180 to 180, as a number or as a text of its digits."""
    name: NotRequired[str]
    address: NotRequired[str]


class ProductParameter(TypedDict):
    type: Literal["product"]
    product: NotRequired[ProductParameterProduct]


class ProductParameterProduct(TypedDict):
    product_retailer_id: NotRequired[str]
    """Your id of the product in the catalog."""
    catalog_id: NotRequired[str]


class TemplateBody(TypedDict):
    """The texts of the body: in their order, or each with its `parameter_name`."""

    type: Literal["body"]
    parameters: NotRequired[List[TemplateBodyParameter]]


TemplateBodyParameter = Union["TextParameter", "CurrencyParameter", "DateTimeParameter", Dict[str, Any]]


class CurrencyParameter(TypedDict):
    type: Literal["currency"]
    currency: NotRequired[CurrencyParameterCurrency]
    parameter_name: NotRequired[str]
    """Of a template with named parameters."""


class CurrencyParameterCurrency(TypedDict):
    fallback_value: NotRequired[str]
    code: str
    """ISO 4217, in any case."""
    amount_1000: int
    """The amount times 1000."""


class DateTimeParameter(TypedDict):
    type: Literal["date_time"]
    date_time: NotRequired[Dict[str, Any]]
    parameter_name: NotRequired[str]
    """Of a template with named parameters."""


class TemplateFooter(TypedDict):
    """A footer has no parameters and may be left out."""

    type: Literal["footer"]
    parameters: NotRequired[List[Dict[str, Any]]]


TemplateButton = Union["TemplateQuickReplyButton", "TemplateUrlButton", "TemplateCopyCodeButton", "TemplateFlowButton", "TemplateCatalogButton", "TemplateMpmButton", "TemplateVoiceCallButton", Dict[str, Any]]
"""The parameter of a button; `sub_type` says of which kind, in any case."""


class TemplateQuickReplyButton(TypedDict):
    type: Literal["button"]
    index: Union[str, int]
    """The place of the button in the template, from 0."""
    sub_type: Literal["quick_reply"]
    parameters: NotRequired[List[TemplateButtonParameter]]


TemplateButtonParameter = Union["TextParameter", "PayloadParameter", "CouponParameter", "TtlParameter", "ActionParameter", Dict[str, Any]]


class PayloadParameter(TypedDict):
    type: Literal["payload"]
    payload: NotRequired[str]


class CouponParameter(TypedDict):
    type: Literal["coupon_code"]
    coupon_code: NotRequired[str]


class TtlParameter(TypedDict):
    type: Literal["ttl_minutes"]
    ttl_minutes: NotRequired[int]
    """How long the button works; the provider's default is 7 days."""


class ActionParameter(TypedDict):
    type: Literal["action"]
    action: NotRequired[ActionParameterAction]


class ActionParameterAction(TypedDict):
    flow_token: NotRequired[str]
    """Your own value; it comes back with the answer."""
    flow_action_data: NotRequired[Dict[str, Any]]
    thumbnail_product_retailer_id: NotRequired[str]
    """Your id of the product in the catalog."""
    sections: NotRequired[List[ActionParameterActionSectionsItem]]


class ActionParameterActionSectionsItem(TypedDict):
    title: NotRequired[str]
    """Required if there are several sections."""
    product_items: List[ActionParameterActionSectionsItemProductItemsItem]


class ActionParameterActionSectionsItemProductItemsItem(TypedDict):
    product_retailer_id: str
    """Your id of the product in the catalog."""


class TemplateUrlButton(TypedDict):
    type: Literal["button"]
    index: Union[str, int]
    """The place of the button in the template, from 0."""
    sub_type: Literal["url"]
    parameters: NotRequired[List[TemplateButtonParameter]]


class TemplateCopyCodeButton(TypedDict):
    type: Literal["button"]
    index: Union[str, int]
    """The place of the button in the template, from 0."""
    sub_type: Literal["copy_code"]
    parameters: NotRequired[List[TemplateButtonParameter]]


class TemplateFlowButton(TypedDict):
    type: Literal["button"]
    index: Union[str, int]
    """The place of the button in the template, from 0."""
    sub_type: Literal["flow"]
    parameters: NotRequired[List[TemplateButtonParameter]]


class TemplateCatalogButton(TypedDict):
    type: Literal["button"]
    index: Union[str, int]
    """The place of the button in the template, from 0."""
    sub_type: Literal["catalog"]
    parameters: NotRequired[List[TemplateButtonParameter]]


class TemplateMpmButton(TypedDict):
    type: Literal["button"]
    index: Union[str, int]
    """The place of the button in the template, from 0."""
    sub_type: Literal["mpm"]
    parameters: NotRequired[List[TemplateButtonParameter]]


class TemplateVoiceCallButton(TypedDict):
    type: Literal["button"]
    index: Union[str, int]
    """The place of the button in the template, from 0."""
    sub_type: Literal["voice_call"]
    parameters: NotRequired[List[TemplateButtonParameter]]


class TemplateOffer(TypedDict):
    """When a limited-time offer ends: after the message is sent, and within ten years."""

    type: Literal["limited_time_offer"]
    limited_time_offer: NotRequired[TemplateOfferLimitedTimeOffer]
    parameters: NotRequired[List[TemplateOfferParametersItem]]


class TemplateOfferLimitedTimeOffer(TypedDict):
    expiration_time_ms: int
    """When the offer ends, in milliseconds since 1970."""


class TemplateOfferParametersItem(TypedDict):
    type: Literal["limited_time_offer"]
    limited_time_offer: TemplateOfferParametersItemLimitedTimeOffer


class TemplateOfferParametersItemLimitedTimeOffer(TypedDict):
    expiration_time_ms: int
    """When the offer ends, in milliseconds since 1970."""


class TemplateCarousel(TypedDict):
    """The parameters of each card."""

    type: Literal["carousel"]
    cards: List[TemplateCarouselCardsItem]


class TemplateCarouselCardsItem(TypedDict):
    card_index: int
    """The place of the card, from 0."""
    components: List[TemplateCardComponent]


TemplateCardComponent = Union["TemplateHeader", "TemplateBody", "TemplateButton", Dict[str, Any]]


_SendTextMessageWords = TypedDict("_SendTextMessageWords", {"from": "NotRequired[str]"})


class SendTextMessage(_SendTextMessageWords):
    """Free text. Can be sent within 24 hours of the person's last message, or with a `fallback`."""

    to: str
    """The recipient: a phone number in E.164 format with `+` (spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped), a contact id or a business-scoped user id."""
    type: Literal["text"]
    text: SendTextMessageText
    """Free text."""
    reply_to: NotRequired[str]
    """The id of the message to quote."""
    reference: NotRequired[str]
    """Your own reference; returned with the message and its events."""
    send_at: NotRequired[str]
    """The earliest time to send the message, up to 30 days ahead; one up to a minute ago is now."""
    expires_at: NotRequired[str]
    """When the message becomes `expired` if it was not dispatched before."""
    take: NotRequired[bool]
    """Send although another responder owns the conversation, which takes it over. Without it a free-form message is refused with `thread_not_owned`; templates go anyway."""
    on_unknown: NotRequired[Literal["hold", "resend_once"]]
    """What to do if the provider's response was lost."""
    fallback: NotRequired[MessageFallback]


class SendTextMessageText(TypedDict):
    """Free text."""

    body: str
    preview_url: NotRequired[bool]
    """Whether to show a preview of the first link."""


class MessageFallback(TypedDict):
    """What is sent instead when the 24-hour window is closed at the time of dispatch. The template is checked as one that is sent by itself."""

    template: MessageTemplate


_SendImageMessageWords = TypedDict("_SendImageMessageWords", {"from": "NotRequired[str]"})


class SendImageMessage(_SendImageMessageWords):
    """An image. Can be sent within 24 hours of the person's last message, or with a `fallback`."""

    to: str
    """The recipient: a phone number in E.164 format with `+` (spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped), a contact id or a business-scoped user id."""
    type: Literal["image"]
    image: SendImageMessageImage
    """An image, JPEG or PNG of up to 5 MB, with a caption."""
    reply_to: NotRequired[str]
    """The id of the message to quote."""
    reference: NotRequired[str]
    """Your own reference; returned with the message and its events."""
    send_at: NotRequired[str]
    """The earliest time to send the message, up to 30 days ahead; one up to a minute ago is now."""
    expires_at: NotRequired[str]
    """When the message becomes `expired` if it was not dispatched before."""
    take: NotRequired[bool]
    """Send although another responder owns the conversation, which takes it over. Without it a free-form message is refused with `thread_not_owned`; templates go anyway."""
    on_unknown: NotRequired[Literal["hold", "resend_once"]]
    """What to do if the provider's response was lost."""
    fallback: NotRequired[MessageFallback]


class SendImageMessageImage(TypedDict):
    """An image, JPEG or PNG of up to 5 MB, with a caption."""

    id: NotRequired[str]
    """The id of media that is available: `med_…`."""
    link: NotRequired[str]
    """The URL of the file, which the provider downloads. It keeps the file of a URL for 10 minutes."""
    caption: NotRequired[str]


_SendVideoMessageWords = TypedDict("_SendVideoMessageWords", {"from": "NotRequired[str]"})


class SendVideoMessage(_SendVideoMessageWords):
    """A video. Can be sent within 24 hours of the person's last message, or with a `fallback`."""

    to: str
    """The recipient: a phone number in E.164 format with `+` (spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped), a contact id or a business-scoped user id."""
    type: Literal["video"]
    video: SendVideoMessageVideo
    """A video, MP4 or 3GPP of up to 16 MB, with a caption."""
    reply_to: NotRequired[str]
    """The id of the message to quote."""
    reference: NotRequired[str]
    """Your own reference; returned with the message and its events."""
    send_at: NotRequired[str]
    """The earliest time to send the message, up to 30 days ahead; one up to a minute ago is now."""
    expires_at: NotRequired[str]
    """When the message becomes `expired` if it was not dispatched before."""
    take: NotRequired[bool]
    """Send although another responder owns the conversation, which takes it over. Without it a free-form message is refused with `thread_not_owned`; templates go anyway."""
    on_unknown: NotRequired[Literal["hold", "resend_once"]]
    """What to do if the provider's response was lost."""
    fallback: NotRequired[MessageFallback]


class SendVideoMessageVideo(TypedDict):
    """A video, MP4 or 3GPP of up to 16 MB, with a caption."""

    id: NotRequired[str]
    """The id of media that is available: `med_…`."""
    link: NotRequired[str]
    """The URL of the file, which the provider downloads. It keeps the file of a URL for 10 minutes."""
    caption: NotRequired[str]


_SendAudioMessageWords = TypedDict("_SendAudioMessageWords", {"from": "NotRequired[str]"})


class SendAudioMessage(_SendAudioMessageWords):
    """Audio, or a voice message. Can be sent within 24 hours of the person's last message, or with a `fallback`."""

    to: str
    """The recipient: a phone number in E.164 format with `+` (spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped), a contact id or a business-scoped user id."""
    type: Literal["audio"]
    audio: SendAudioMessageAudio
    """Audio of up to 16 MB. It has no caption."""
    reply_to: NotRequired[str]
    """The id of the message to quote."""
    reference: NotRequired[str]
    """Your own reference; returned with the message and its events."""
    send_at: NotRequired[str]
    """The earliest time to send the message, up to 30 days ahead; one up to a minute ago is now."""
    expires_at: NotRequired[str]
    """When the message becomes `expired` if it was not dispatched before."""
    take: NotRequired[bool]
    """Send although another responder owns the conversation, which takes it over. Without it a free-form message is refused with `thread_not_owned`; templates go anyway."""
    on_unknown: NotRequired[Literal["hold", "resend_once"]]
    """What to do if the provider's response was lost."""
    fallback: NotRequired[MessageFallback]


class SendAudioMessageAudio(TypedDict):
    """Audio of up to 16 MB. It has no caption."""

    id: NotRequired[str]
    """The id of media that is available: `med_…`."""
    link: NotRequired[str]
    """The URL of the file, which the provider downloads. It keeps the file of a URL for 10 minutes."""
    voice: NotRequired[bool]
    """Whether to show it as a voice message, which has to be OGG with the Opus codec."""


_SendDocumentMessageWords = TypedDict("_SendDocumentMessageWords", {"from": "NotRequired[str]"})


class SendDocumentMessage(_SendDocumentMessageWords):
    """A document. Can be sent within 24 hours of the person's last message, or with a `fallback`."""

    to: str
    """The recipient: a phone number in E.164 format with `+` (spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped), a contact id or a business-scoped user id."""
    type: Literal["document"]
    document: SendDocumentMessageDocument
    """A file of any type of up to 100 MB, with a caption."""
    reply_to: NotRequired[str]
    """The id of the message to quote."""
    reference: NotRequired[str]
    """Your own reference; returned with the message and its events."""
    send_at: NotRequired[str]
    """The earliest time to send the message, up to 30 days ahead; one up to a minute ago is now."""
    expires_at: NotRequired[str]
    """When the message becomes `expired` if it was not dispatched before."""
    take: NotRequired[bool]
    """Send although another responder owns the conversation, which takes it over. Without it a free-form message is refused with `thread_not_owned`; templates go anyway."""
    on_unknown: NotRequired[Literal["hold", "resend_once"]]
    """What to do if the provider's response was lost."""
    fallback: NotRequired[MessageFallback]


class SendDocumentMessageDocument(TypedDict):
    """A file of any type of up to 100 MB, with a caption."""

    id: NotRequired[str]
    """The id of media that is available: `med_…`."""
    link: NotRequired[str]
    """The URL of the file, which the provider downloads. It keeps the file of a URL for 10 minutes."""
    caption: NotRequired[str]
    filename: NotRequired[str]
    """The name that the person sees; its extension decides about the icon."""


_SendStickerMessageWords = TypedDict("_SendStickerMessageWords", {"from": "NotRequired[str]"})


class SendStickerMessage(_SendStickerMessageWords):
    """A sticker. Can be sent within 24 hours of the person's last message, or with a `fallback`."""

    to: str
    """The recipient: a phone number in E.164 format with `+` (spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped), a contact id or a business-scoped user id."""
    type: Literal["sticker"]
    sticker: SendStickerMessageSticker
    """A sticker: WebP of up to 100 KB, animated of up to 500 KB."""
    reply_to: NotRequired[str]
    """The id of the message to quote."""
    reference: NotRequired[str]
    """Your own reference; returned with the message and its events."""
    send_at: NotRequired[str]
    """The earliest time to send the message, up to 30 days ahead; one up to a minute ago is now."""
    expires_at: NotRequired[str]
    """When the message becomes `expired` if it was not dispatched before."""
    take: NotRequired[bool]
    """Send although another responder owns the conversation, which takes it over. Without it a free-form message is refused with `thread_not_owned`; templates go anyway."""
    on_unknown: NotRequired[Literal["hold", "resend_once"]]
    """What to do if the provider's response was lost."""
    fallback: NotRequired[MessageFallback]


class SendStickerMessageSticker(TypedDict):
    """A sticker: WebP of up to 100 KB, animated of up to 500 KB."""

    id: NotRequired[str]
    """The id of media that is available: `med_…`."""
    link: NotRequired[str]
    """The URL of the file, which the provider downloads. It keeps the file of a URL for 10 minutes."""


_SendLocationMessageWords = TypedDict("_SendLocationMessageWords", {"from": "NotRequired[str]"})


class SendLocationMessage(_SendLocationMessageWords):
    """A location. Can be sent within 24 hours of the person's last message, or with a `fallback`."""

    to: str
    """The recipient: a phone number in E.164 format with `+` (spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped), a contact id or a business-scoped user id."""
    type: Literal["location"]
    location: SendLocationMessageLocation
    """A place, in degrees of WGS 84."""
    reply_to: NotRequired[str]
    """The id of the message to quote."""
    reference: NotRequired[str]
    """Your own reference; returned with the message and its events."""
    send_at: NotRequired[str]
    """The earliest time to send the message, up to 30 days ahead; one up to a minute ago is now."""
    expires_at: NotRequired[str]
    """When the message becomes `expired` if it was not dispatched before."""
    take: NotRequired[bool]
    """Send although another responder owns the conversation, which takes it over. Without it a free-form message is refused with `thread_not_owned`; templates go anyway."""
    on_unknown: NotRequired[Literal["hold", "resend_once"]]
    """What to do if the provider's response was lost."""
    fallback: NotRequired[MessageFallback]


class SendLocationMessageLocation(TypedDict):
    """A place, in degrees of WGS 84."""

    latitude: Union[float, str]
    """Degrees from -90 to 90, as a number or as a text of its digits."""
    longitude: Union[float, str]
    """Degrees from -180 to 180, as a number or as a text of its digits."""
    name: NotRequired[str]
    address: NotRequired[str]


_SendContactsMessageWords = TypedDict("_SendContactsMessageWords", {"from": "NotRequired[str]"})


class SendContactsMessage(_SendContactsMessageWords):
    """Contact cards. Can be sent within 24 hours of the person's last message, or with a `fallback`."""

    to: str
    """The recipient: a phone number in E.164 format with `+` (spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped), a contact id or a business-scoped user id."""
    type: Literal["contacts"]
    contacts: List[ContactCard]
    """Contact cards."""
    reply_to: NotRequired[str]
    """The id of the message to quote."""
    reference: NotRequired[str]
    """Your own reference; returned with the message and its events."""
    send_at: NotRequired[str]
    """The earliest time to send the message, up to 30 days ahead; one up to a minute ago is now."""
    expires_at: NotRequired[str]
    """When the message becomes `expired` if it was not dispatched before."""
    take: NotRequired[bool]
    """Send although another responder owns the conversation, which takes it over. Without it a free-form message is refused with `thread_not_owned`; templates go anyway."""
    on_unknown: NotRequired[Literal["hold", "resend_once"]]
    """What to do if the provider's response was lost."""
    fallback: NotRequired[MessageFallback]


class ContactCard(TypedDict):
    name: ContactCardName
    """`formatted_name` and at least one more part."""
    phones: NotRequired[List[ContactCardPhonesItem]]
    emails: NotRequired[List[ContactCardEmailsItem]]
    addresses: NotRequired[List[ContactCardAddressesItem]]
    org: NotRequired[ContactCardOrg]
    urls: NotRequired[List[ContactCardUrlsItem]]
    birthday: NotRequired[str]
    """YYYY-MM-DD"""


class ContactCardName(TypedDict):
    """`formatted_name` and at least one more part."""

    formatted_name: str
    """The name as it is shown."""
    first_name: NotRequired[str]
    last_name: NotRequired[str]
    middle_name: NotRequired[str]
    suffix: NotRequired[str]
    prefix: NotRequired[str]


class ContactCardPhonesItem(TypedDict):
    phone: NotRequired[str]
    type: NotRequired[str]
    """What it is used for."""
    wa_id: NotRequired[str]
    """The number as the provider calls it; with it the person can be written to."""


class ContactCardEmailsItem(TypedDict):
    email: NotRequired[str]
    type: NotRequired[str]
    """What it is used for."""


class ContactCardAddressesItem(TypedDict):
    street: NotRequired[str]
    city: NotRequired[str]
    state: NotRequired[str]
    zip: NotRequired[str]
    country: NotRequired[str]
    country_code: NotRequired[str]
    type: NotRequired[str]
    """What it is used for."""


class ContactCardOrg(TypedDict):
    company: NotRequired[str]
    department: NotRequired[str]
    title: NotRequired[str]


class ContactCardUrlsItem(TypedDict):
    url: NotRequired[str]
    type: NotRequired[str]
    """What it is used for."""


_SendInteractiveMessageWords = TypedDict("_SendInteractiveMessageWords", {"from": "NotRequired[str]"})


class SendInteractiveMessage(_SendInteractiveMessageWords):
    """An interactive message. Can be sent within 24 hours of the person's last message, or with a `fallback`."""

    to: str
    """The recipient: a phone number in E.164 format with `+` (spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped), a contact id or a business-scoped user id."""
    type: Literal["interactive"]
    interactive: Interactive
    reply_to: NotRequired[str]
    """The id of the message to quote."""
    reference: NotRequired[str]
    """Your own reference; returned with the message and its events."""
    send_at: NotRequired[str]
    """The earliest time to send the message, up to 30 days ahead; one up to a minute ago is now."""
    expires_at: NotRequired[str]
    """When the message becomes `expired` if it was not dispatched before."""
    take: NotRequired[bool]
    """Send although another responder owns the conversation, which takes it over. Without it a free-form message is refused with `thread_not_owned`; templates go anyway."""
    on_unknown: NotRequired[Literal["hold", "resend_once"]]
    """What to do if the provider's response was lost."""
    fallback: NotRequired[MessageFallback]


Interactive = Union["InteractiveButton", "InteractiveList", "InteractiveCtaUrl", "InteractiveFlow", "InteractiveProduct", "InteractiveProductList", "InteractiveCatalogMessage", "InteractiveLocationRequestMessage", "InteractiveAddressMessage", "InteractiveVoiceCall", "InteractiveCallPermissionRequest", "InteractiveCarousel", "InteractiveRequestContactInfo", Dict[str, Any]]
"""Buttons, lists and other parts that the person acts on; `type` says which."""


class InteractiveButton(TypedDict):
    """Up to three buttons; the person's choice comes back as a message."""

    type: Literal["button"]
    header: NotRequired[InteractiveHeader]
    body: InteractiveButtonBody
    footer: NotRequired[InteractiveButtonFooter]
    action: InteractiveButtonAction


class InteractiveButtonBody(TypedDict):
    text: str


class InteractiveButtonFooter(TypedDict):
    text: str


class InteractiveButtonAction(TypedDict):
    buttons: List[InteractiveButtonActionButtonsItem]


class InteractiveButtonActionButtonsItem(TypedDict):
    type: Literal["reply"]
    reply: InteractiveButtonActionButtonsItemReply


class InteractiveButtonActionButtonsItemReply(TypedDict):
    id: str
    title: str


InteractiveHeader = Union["TextHeader", "ImageHeader", "VideoHeader", "DocumentHeader", Dict[str, Any]]
"""A text, an image, a video or a document above the body."""


class TextHeader(TypedDict):
    type: Literal["text"]
    text: str


class ImageHeader(TypedDict):
    type: Literal["image"]
    image: ImageHeaderImage


class ImageHeaderImage(TypedDict):
    id: NotRequired[str]
    """The id of media that is available: `med_…`."""
    link: NotRequired[str]
    """The URL of the file, which the provider downloads. It keeps the file of a URL for 10 minutes."""


class VideoHeader(TypedDict):
    type: Literal["video"]
    video: VideoHeaderVideo


class VideoHeaderVideo(TypedDict):
    id: NotRequired[str]
    """The id of media that is available: `med_…`."""
    link: NotRequired[str]
    """The URL of the file, which the provider downloads. It keeps the file of a URL for 10 minutes."""


class DocumentHeader(TypedDict):
    type: Literal["document"]
    document: DocumentHeaderDocument


class DocumentHeaderDocument(TypedDict):
    id: NotRequired[str]
    """The id of media that is available: `med_…`."""
    link: NotRequired[str]
    """The URL of the file, which the provider downloads. It keeps the file of a URL for 10 minutes."""
    filename: NotRequired[str]
    """The name that the person sees; its extension decides about the icon."""


class InteractiveList(TypedDict):
    """A list of up to ten rows, opened by a button."""

    type: Literal["list"]
    header: NotRequired[ListHeader]
    body: InteractiveListBody
    footer: NotRequired[InteractiveListFooter]
    action: InteractiveListAction


class InteractiveListBody(TypedDict):
    text: str


class InteractiveListFooter(TypedDict):
    text: str


class InteractiveListAction(TypedDict):
    button: str
    sections: List[InteractiveListActionSectionsItem]


class InteractiveListActionSectionsItem(TypedDict):
    title: NotRequired[str]
    """Required if there are several sections."""
    rows: List[InteractiveListActionSectionsItemRowsItem]


class InteractiveListActionSectionsItemRowsItem(TypedDict):
    id: str
    title: str
    description: NotRequired[str]


ListHeader = Union["TextHeader"]


class InteractiveCtaUrl(TypedDict):
    """A button that opens a page."""

    type: Literal["cta_url"]
    header: NotRequired[InteractiveHeader]
    body: InteractiveCtaUrlBody
    footer: NotRequired[InteractiveCtaUrlFooter]
    action: InteractiveCtaUrlAction


class InteractiveCtaUrlBody(TypedDict):
    text: str


class InteractiveCtaUrlFooter(TypedDict):
    text: str


class InteractiveCtaUrlAction(TypedDict):
    name: Literal["cta_url"]
    parameters: InteractiveCtaUrlActionParameters


class InteractiveCtaUrlActionParameters(TypedDict):
    display_text: str
    url: str
    """The page that the button opens."""


class InteractiveFlow(TypedDict):
    """A button that opens a flow."""

    type: Literal["flow"]
    header: NotRequired[InteractiveHeader]
    body: InteractiveFlowBody
    footer: NotRequired[InteractiveFlowFooter]
    action: InteractiveFlowAction


class InteractiveFlowBody(TypedDict):
    text: str


class InteractiveFlowFooter(TypedDict):
    text: str


class InteractiveFlowAction(TypedDict):
    name: Literal["flow"]
    parameters: InteractiveFlowActionParameters


class InteractiveFlowActionParameters(TypedDict):
    flow_message_version: Literal["3"]
    flow_id: NotRequired[str]
    """Either this or `flow_name`."""
    flow_name: NotRequired[str]
    flow_cta: str
    """The text of the button."""
    mode: NotRequired[Literal["draft", "published"]]
    flow_token: NotRequired[str]
    """Your own value; it comes back with the answer."""
    flow_action: NotRequired[Literal["navigate", "data_exchange"]]
    flow_action_payload: NotRequired[InteractiveFlowActionParametersFlowActionPayload]


class InteractiveFlowActionParametersFlowActionPayload(TypedDict):
    screen: str
    data: NotRequired[Dict[str, Any]]


class InteractiveProduct(TypedDict):
    """One product of a catalog."""

    type: Literal["product"]
    body: NotRequired[InteractiveProductBody]
    footer: NotRequired[InteractiveProductFooter]
    action: InteractiveProductAction


class InteractiveProductBody(TypedDict):
    text: str


class InteractiveProductFooter(TypedDict):
    text: str


class InteractiveProductAction(TypedDict):
    catalog_id: str
    """The id of the catalog that is connected to the account."""
    product_retailer_id: str
    """Your id of the product in the catalog."""


class InteractiveProductList(TypedDict):
    """Up to thirty products of a catalog."""

    type: Literal["product_list"]
    header: ListHeader
    body: InteractiveProductListBody
    footer: NotRequired[InteractiveProductListFooter]
    action: InteractiveProductListAction


class InteractiveProductListBody(TypedDict):
    text: str


class InteractiveProductListFooter(TypedDict):
    text: str


class InteractiveProductListAction(TypedDict):
    catalog_id: str
    """The id of the catalog that is connected to the account."""
    sections: List[InteractiveProductListActionSectionsItem]


class InteractiveProductListActionSectionsItem(TypedDict):
    title: NotRequired[str]
    """Required if there are several sections."""
    product_items: List[InteractiveProductListActionSectionsItemProductItemsItem]


class InteractiveProductListActionSectionsItemProductItemsItem(TypedDict):
    product_retailer_id: str
    """Your id of the product in the catalog."""


class InteractiveCatalogMessage(TypedDict):
    """A button that opens the catalog."""

    type: Literal["catalog_message"]
    header: NotRequired[InteractiveHeader]
    body: InteractiveCatalogMessageBody
    footer: NotRequired[InteractiveCatalogMessageFooter]
    action: InteractiveCatalogMessageAction


class InteractiveCatalogMessageBody(TypedDict):
    text: str


class InteractiveCatalogMessageFooter(TypedDict):
    text: str


class InteractiveCatalogMessageAction(TypedDict):
    name: Literal["catalog_message"]
    parameters: NotRequired[InteractiveCatalogMessageActionParameters]


class InteractiveCatalogMessageActionParameters(TypedDict):
    thumbnail_product_retailer_id: NotRequired[str]
    """Your id of the product in the catalog."""


class InteractiveLocationRequestMessage(TypedDict):
    """A button with which the person sends a location."""

    type: Literal["location_request_message"]
    header: NotRequired[InteractiveHeader]
    body: InteractiveLocationRequestMessageBody
    footer: NotRequired[InteractiveLocationRequestMessageFooter]
    action: InteractiveLocationRequestMessageAction


class InteractiveLocationRequestMessageBody(TypedDict):
    text: str


class InteractiveLocationRequestMessageFooter(TypedDict):
    text: str


class InteractiveLocationRequestMessageAction(TypedDict):
    name: Literal["send_location"]


class InteractiveAddressMessage(TypedDict):
    """A form for an address, in countries where the provider has one."""

    type: Literal["address_message"]
    header: NotRequired[InteractiveHeader]
    body: InteractiveAddressMessageBody
    footer: NotRequired[InteractiveAddressMessageFooter]
    action: InteractiveAddressMessageAction


class InteractiveAddressMessageBody(TypedDict):
    text: str


class InteractiveAddressMessageFooter(TypedDict):
    text: str


class InteractiveAddressMessageAction(TypedDict):
    name: Literal["address_message"]
    parameters: InteractiveAddressMessageActionParameters


class InteractiveAddressMessageActionParameters(TypedDict):
    country: str
    """Two letters, in any case."""
    values: NotRequired[Dict[str, Any]]
    """What the form has filled in, by field."""
    saved_addresses: NotRequired[List[Dict[str, Any]]]
    validation_errors: NotRequired[Dict[str, Any]]
    """What is wrong with an earlier answer, by field."""


class InteractiveVoiceCall(TypedDict):
    """A button that calls the business. The number needs calling enabled."""

    type: Literal["voice_call"]
    header: NotRequired[InteractiveHeader]
    body: InteractiveVoiceCallBody
    footer: NotRequired[InteractiveVoiceCallFooter]
    action: InteractiveVoiceCallAction


class InteractiveVoiceCallBody(TypedDict):
    text: str


class InteractiveVoiceCallFooter(TypedDict):
    text: str


class InteractiveVoiceCallAction(TypedDict):
    name: Literal["voice_call"]
    parameters: NotRequired[InteractiveVoiceCallActionParameters]


class InteractiveVoiceCallActionParameters(TypedDict):
    display_text: NotRequired[str]
    ttl_minutes: NotRequired[int]
    """How long the button works; the provider's default is 7 days."""
    payload: NotRequired[str]
    """Your own value; it comes back with the call."""


class InteractiveCallPermissionRequest(TypedDict):
    """Asks the person for permission to call."""

    type: Literal["call_permission_request"]
    header: NotRequired[InteractiveHeader]
    body: InteractiveCallPermissionRequestBody
    footer: NotRequired[InteractiveCallPermissionRequestFooter]
    action: InteractiveCallPermissionRequestAction


class InteractiveCallPermissionRequestBody(TypedDict):
    text: str


class InteractiveCallPermissionRequestFooter(TypedDict):
    text: str


class InteractiveCallPermissionRequestAction(TypedDict):
    name: Literal["call_permission_request"]


class InteractiveCarousel(TypedDict):
    """Two to ten cards side by side in the order of their `card_index`, each with an image or each with a video, and with the same kind and number of buttons: one that opens a page, or quick replies."""

    type: Literal["carousel"]
    body: InteractiveCarouselBody
    action: InteractiveCarouselAction


class InteractiveCarouselBody(TypedDict):
    text: str


class InteractiveCarouselAction(TypedDict):
    cards: List[InteractiveCard]


InteractiveCard = Union["UrlCard", Dict[str, Any]]


CardHeader = Union["ImageHeader", "VideoHeader"]


CardButton = Union["QuickReply", Dict[str, Any]]


class QuickReply(TypedDict):
    type: Literal["quick_reply"]
    quick_reply: QuickReplyQuickReply


class QuickReplyQuickReply(TypedDict):
    id: str
    title: str


class UrlCard(TypedDict):
    """A card whose button opens a page, or with quick replies."""

    card_index: int
    """The place of the card, from 0."""
    header: CardHeader
    body: NotRequired[UrlCardBody]
    action: UrlCardAction
    type: Literal["cta_url"]


class UrlCardBody(TypedDict):
    text: str


class UrlCardAction(TypedDict):
    name: NotRequired[Literal["cta_url"]]
    parameters: NotRequired[UrlCardActionParameters]
    buttons: NotRequired[List[CardButton]]


class UrlCardActionParameters(TypedDict):
    display_text: str
    url: str
    """The page that the button opens."""


class InteractiveRequestContactInfo(TypedDict):
    """Asks a person whose number is hidden for the number."""

    type: Literal["request_contact_info"]
    header: NotRequired[InteractiveHeader]
    body: InteractiveRequestContactInfoBody
    footer: NotRequired[InteractiveRequestContactInfoFooter]
    action: InteractiveRequestContactInfoAction


class InteractiveRequestContactInfoBody(TypedDict):
    text: str


class InteractiveRequestContactInfoFooter(TypedDict):
    text: str


class InteractiveRequestContactInfoAction(TypedDict):
    name: Literal["request_contact_info"]


_SendReactionMessageWords = TypedDict("_SendReactionMessageWords", {"from": "NotRequired[str]"})


class SendReactionMessage(_SendReactionMessageWords):
    """A reaction to a message. Can be sent within 24 hours of the person's last message, or with a `fallback`."""

    to: str
    """The recipient: a phone number in E.164 format with `+` (spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped), a contact id or a business-scoped user id."""
    type: Literal["reaction"]
    reaction: SendReactionMessageReaction
    """A reaction to a message of the last 30 days."""
    reference: NotRequired[str]
    """Your own reference; returned with the message and its events."""
    send_at: NotRequired[str]
    """The earliest time to send the message, up to 30 days ahead; one up to a minute ago is now."""
    expires_at: NotRequired[str]
    """When the message becomes `expired` if it was not dispatched before."""
    take: NotRequired[bool]
    """Send although another responder owns the conversation, which takes it over. Without it a free-form message is refused with `thread_not_owned`; templates go anyway."""
    on_unknown: NotRequired[Literal["hold", "resend_once"]]
    """What to do if the provider's response was lost."""
    fallback: NotRequired[MessageFallback]


class SendReactionMessageReaction(TypedDict):
    """A reaction to a message of the last 30 days."""

    message_id: str
    """The id of the message to react to, in either direction."""
    emoji: str
    """One emoji. An empty text removes the reaction."""


BatchedMessage = Union["BatchedTemplateMessage", "BatchedTextMessage", "BatchedImageMessage", "BatchedVideoMessage", "BatchedAudioMessage", "BatchedDocumentMessage", "BatchedStickerMessage", "BatchedLocationMessage", "BatchedContactsMessage", "BatchedInteractiveMessage", "BatchedReactionMessage"]


_BatchedTemplateMessageWords = TypedDict("_BatchedTemplateMessageWords", {"from": "NotRequired[str]"})


class BatchedTemplateMessage(_BatchedTemplateMessageWords):
    """An approved template. Can be sent at any time."""

    to: str
    """The recipient: a phone number in E.164 format with `+` (spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped), a contact id or a business-scoped user id."""
    type: Literal["template"]
    template: MessageTemplate
    reply_to: NotRequired[str]
    """The id of the message to quote."""
    reference: NotRequired[str]
    """Your own reference; returned with the message and its events."""
    send_at: NotRequired[str]
    """The earliest time to send the message, up to 30 days ahead; one up to a minute ago is now."""
    expires_at: NotRequired[str]
    """When the message becomes `expired` if it was not dispatched before."""
    take: NotRequired[bool]
    """Send although another responder owns the conversation, which takes it over. Without it a free-form message is refused with `thread_not_owned`; templates go anyway."""
    on_unknown: NotRequired[Literal["hold", "resend_once"]]
    """What to do if the provider's response was lost."""
    idempotency_key: NotRequired[str]
    """A key of this message alone, the same as that of a `POST /v1/messages` with it. Without one, it is derived from the request's key and the place in the list."""


_BatchedTextMessageWords = TypedDict("_BatchedTextMessageWords", {"from": "NotRequired[str]"})


class BatchedTextMessage(_BatchedTextMessageWords):
    """Free text. Can be sent within 24 hours of the person's last message, or with a `fallback`."""

    to: str
    """The recipient: a phone number in E.164 format with `+` (spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped), a contact id or a business-scoped user id."""
    type: Literal["text"]
    text: BatchedTextMessageText
    """Free text."""
    reply_to: NotRequired[str]
    """The id of the message to quote."""
    reference: NotRequired[str]
    """Your own reference; returned with the message and its events."""
    send_at: NotRequired[str]
    """The earliest time to send the message, up to 30 days ahead; one up to a minute ago is now."""
    expires_at: NotRequired[str]
    """When the message becomes `expired` if it was not dispatched before."""
    take: NotRequired[bool]
    """Send although another responder owns the conversation, which takes it over. Without it a free-form message is refused with `thread_not_owned`; templates go anyway."""
    on_unknown: NotRequired[Literal["hold", "resend_once"]]
    """What to do if the provider's response was lost."""
    fallback: NotRequired[MessageFallback]
    idempotency_key: NotRequired[str]
    """A key of this message alone, the same as that of a `POST /v1/messages` with it. Without one, it is derived from the request's key and the place in the list."""


class BatchedTextMessageText(TypedDict):
    """Free text."""

    body: str
    preview_url: NotRequired[bool]
    """Whether to show a preview of the first link."""


_BatchedImageMessageWords = TypedDict("_BatchedImageMessageWords", {"from": "NotRequired[str]"})


class BatchedImageMessage(_BatchedImageMessageWords):
    """An image. Can be sent within 24 hours of the person's last message, or with a `fallback`."""

    to: str
    """The recipient: a phone number in E.164 format with `+` (spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped), a contact id or a business-scoped user id."""
    type: Literal["image"]
    image: BatchedImageMessageImage
    """An image, JPEG or PNG of up to 5 MB, with a caption."""
    reply_to: NotRequired[str]
    """The id of the message to quote."""
    reference: NotRequired[str]
    """Your own reference; returned with the message and its events."""
    send_at: NotRequired[str]
    """The earliest time to send the message, up to 30 days ahead; one up to a minute ago is now."""
    expires_at: NotRequired[str]
    """When the message becomes `expired` if it was not dispatched before."""
    take: NotRequired[bool]
    """Send although another responder owns the conversation, which takes it over. Without it a free-form message is refused with `thread_not_owned`; templates go anyway."""
    on_unknown: NotRequired[Literal["hold", "resend_once"]]
    """What to do if the provider's response was lost."""
    fallback: NotRequired[MessageFallback]
    idempotency_key: NotRequired[str]
    """A key of this message alone, the same as that of a `POST /v1/messages` with it. Without one, it is derived from the request's key and the place in the list."""


class BatchedImageMessageImage(TypedDict):
    """An image, JPEG or PNG of up to 5 MB, with a caption."""

    id: NotRequired[str]
    """The id of media that is available: `med_…`."""
    link: NotRequired[str]
    """The URL of the file, which the provider downloads. It keeps the file of a URL for 10 minutes."""
    caption: NotRequired[str]


_BatchedVideoMessageWords = TypedDict("_BatchedVideoMessageWords", {"from": "NotRequired[str]"})


class BatchedVideoMessage(_BatchedVideoMessageWords):
    """A video. Can be sent within 24 hours of the person's last message, or with a `fallback`."""

    to: str
    """The recipient: a phone number in E.164 format with `+` (spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped), a contact id or a business-scoped user id."""
    type: Literal["video"]
    video: BatchedVideoMessageVideo
    """A video, MP4 or 3GPP of up to 16 MB, with a caption."""
    reply_to: NotRequired[str]
    """The id of the message to quote."""
    reference: NotRequired[str]
    """Your own reference; returned with the message and its events."""
    send_at: NotRequired[str]
    """The earliest time to send the message, up to 30 days ahead; one up to a minute ago is now."""
    expires_at: NotRequired[str]
    """When the message becomes `expired` if it was not dispatched before."""
    take: NotRequired[bool]
    """Send although another responder owns the conversation, which takes it over. Without it a free-form message is refused with `thread_not_owned`; templates go anyway."""
    on_unknown: NotRequired[Literal["hold", "resend_once"]]
    """What to do if the provider's response was lost."""
    fallback: NotRequired[MessageFallback]
    idempotency_key: NotRequired[str]
    """A key of this message alone, the same as that of a `POST /v1/messages` with it. Without one, it is derived from the request's key and the place in the list."""


class BatchedVideoMessageVideo(TypedDict):
    """A video, MP4 or 3GPP of up to 16 MB, with a caption."""

    id: NotRequired[str]
    """The id of media that is available: `med_…`."""
    link: NotRequired[str]
    """The URL of the file, which the provider downloads. It keeps the file of a URL for 10 minutes."""
    caption: NotRequired[str]


_BatchedAudioMessageWords = TypedDict("_BatchedAudioMessageWords", {"from": "NotRequired[str]"})


class BatchedAudioMessage(_BatchedAudioMessageWords):
    """Audio, or a voice message. Can be sent within 24 hours of the person's last message, or with a `fallback`."""

    to: str
    """The recipient: a phone number in E.164 format with `+` (spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped), a contact id or a business-scoped user id."""
    type: Literal["audio"]
    audio: BatchedAudioMessageAudio
    """Audio of up to 16 MB. It has no caption."""
    reply_to: NotRequired[str]
    """The id of the message to quote."""
    reference: NotRequired[str]
    """Your own reference; returned with the message and its events."""
    send_at: NotRequired[str]
    """The earliest time to send the message, up to 30 days ahead; one up to a minute ago is now."""
    expires_at: NotRequired[str]
    """When the message becomes `expired` if it was not dispatched before."""
    take: NotRequired[bool]
    """Send although another responder owns the conversation, which takes it over. Without it a free-form message is refused with `thread_not_owned`; templates go anyway."""
    on_unknown: NotRequired[Literal["hold", "resend_once"]]
    """What to do if the provider's response was lost."""
    fallback: NotRequired[MessageFallback]
    idempotency_key: NotRequired[str]
    """A key of this message alone, the same as that of a `POST /v1/messages` with it. Without one, it is derived from the request's key and the place in the list."""


class BatchedAudioMessageAudio(TypedDict):
    """Audio of up to 16 MB. It has no caption."""

    id: NotRequired[str]
    """The id of media that is available: `med_…`."""
    link: NotRequired[str]
    """The URL of the file, which the provider downloads. It keeps the file of a URL for 10 minutes."""
    voice: NotRequired[bool]
    """Whether to show it as a voice message, which has to be OGG with the Opus codec."""


_BatchedDocumentMessageWords = TypedDict("_BatchedDocumentMessageWords", {"from": "NotRequired[str]"})


class BatchedDocumentMessage(_BatchedDocumentMessageWords):
    """A document. Can be sent within 24 hours of the person's last message, or with a `fallback`."""

    to: str
    """The recipient: a phone number in E.164 format with `+` (spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped), a contact id or a business-scoped user id."""
    type: Literal["document"]
    document: BatchedDocumentMessageDocument
    """A file of any type of up to 100 MB, with a caption."""
    reply_to: NotRequired[str]
    """The id of the message to quote."""
    reference: NotRequired[str]
    """Your own reference; returned with the message and its events."""
    send_at: NotRequired[str]
    """The earliest time to send the message, up to 30 days ahead; one up to a minute ago is now."""
    expires_at: NotRequired[str]
    """When the message becomes `expired` if it was not dispatched before."""
    take: NotRequired[bool]
    """Send although another responder owns the conversation, which takes it over. Without it a free-form message is refused with `thread_not_owned`; templates go anyway."""
    on_unknown: NotRequired[Literal["hold", "resend_once"]]
    """What to do if the provider's response was lost."""
    fallback: NotRequired[MessageFallback]
    idempotency_key: NotRequired[str]
    """A key of this message alone, the same as that of a `POST /v1/messages` with it. Without one, it is derived from the request's key and the place in the list."""


class BatchedDocumentMessageDocument(TypedDict):
    """A file of any type of up to 100 MB, with a caption."""

    id: NotRequired[str]
    """The id of media that is available: `med_…`."""
    link: NotRequired[str]
    """The URL of the file, which the provider downloads. It keeps the file of a URL for 10 minutes."""
    caption: NotRequired[str]
    filename: NotRequired[str]
    """The name that the person sees; its extension decides about the icon."""


_BatchedStickerMessageWords = TypedDict("_BatchedStickerMessageWords", {"from": "NotRequired[str]"})


class BatchedStickerMessage(_BatchedStickerMessageWords):
    """A sticker. Can be sent within 24 hours of the person's last message, or with a `fallback`."""

    to: str
    """The recipient: a phone number in E.164 format with `+` (spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped), a contact id or a business-scoped user id."""
    type: Literal["sticker"]
    sticker: BatchedStickerMessageSticker
    """A sticker: WebP of up to 100 KB, animated of up to 500 KB."""
    reply_to: NotRequired[str]
    """The id of the message to quote."""
    reference: NotRequired[str]
    """Your own reference; returned with the message and its events."""
    send_at: NotRequired[str]
    """The earliest time to send the message, up to 30 days ahead; one up to a minute ago is now."""
    expires_at: NotRequired[str]
    """When the message becomes `expired` if it was not dispatched before."""
    take: NotRequired[bool]
    """Send although another responder owns the conversation, which takes it over. Without it a free-form message is refused with `thread_not_owned`; templates go anyway."""
    on_unknown: NotRequired[Literal["hold", "resend_once"]]
    """What to do if the provider's response was lost."""
    fallback: NotRequired[MessageFallback]
    idempotency_key: NotRequired[str]
    """A key of this message alone, the same as that of a `POST /v1/messages` with it. Without one, it is derived from the request's key and the place in the list."""


class BatchedStickerMessageSticker(TypedDict):
    """A sticker: WebP of up to 100 KB, animated of up to 500 KB."""

    id: NotRequired[str]
    """The id of media that is available: `med_…`."""
    link: NotRequired[str]
    """The URL of the file, which the provider downloads. It keeps the file of a URL for 10 minutes."""


_BatchedLocationMessageWords = TypedDict("_BatchedLocationMessageWords", {"from": "NotRequired[str]"})


class BatchedLocationMessage(_BatchedLocationMessageWords):
    """A location. Can be sent within 24 hours of the person's last message, or with a `fallback`."""

    to: str
    """The recipient: a phone number in E.164 format with `+` (spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped), a contact id or a business-scoped user id."""
    type: Literal["location"]
    location: BatchedLocationMessageLocation
    """A place, in degrees of WGS 84."""
    reply_to: NotRequired[str]
    """The id of the message to quote."""
    reference: NotRequired[str]
    """Your own reference; returned with the message and its events."""
    send_at: NotRequired[str]
    """The earliest time to send the message, up to 30 days ahead; one up to a minute ago is now."""
    expires_at: NotRequired[str]
    """When the message becomes `expired` if it was not dispatched before."""
    take: NotRequired[bool]
    """Send although another responder owns the conversation, which takes it over. Without it a free-form message is refused with `thread_not_owned`; templates go anyway."""
    on_unknown: NotRequired[Literal["hold", "resend_once"]]
    """What to do if the provider's response was lost."""
    fallback: NotRequired[MessageFallback]
    idempotency_key: NotRequired[str]
    """A key of this message alone, the same as that of a `POST /v1/messages` with it. Without one, it is derived from the request's key and the place in the list."""


class BatchedLocationMessageLocation(TypedDict):
    """A place, in degrees of WGS 84."""

    latitude: Union[float, str]
    """Degrees from -90 to 90, as a number or as a text of its digits."""
    longitude: Union[float, str]
    """Degrees from -180 to 180, as a number or as a text of its digits."""
    name: NotRequired[str]
    address: NotRequired[str]


_BatchedContactsMessageWords = TypedDict("_BatchedContactsMessageWords", {"from": "NotRequired[str]"})


class BatchedContactsMessage(_BatchedContactsMessageWords):
    """Contact cards. Can be sent within 24 hours of the person's last message, or with a `fallback`."""

    to: str
    """The recipient: a phone number in E.164 format with `+` (spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped), a contact id or a business-scoped user id."""
    type: Literal["contacts"]
    contacts: List[ContactCard]
    """Contact cards."""
    reply_to: NotRequired[str]
    """The id of the message to quote."""
    reference: NotRequired[str]
    """Your own reference; returned with the message and its events."""
    send_at: NotRequired[str]
    """The earliest time to send the message, up to 30 days ahead; one up to a minute ago is now."""
    expires_at: NotRequired[str]
    """When the message becomes `expired` if it was not dispatched before."""
    take: NotRequired[bool]
    """Send although another responder owns the conversation, which takes it over. Without it a free-form message is refused with `thread_not_owned`; templates go anyway."""
    on_unknown: NotRequired[Literal["hold", "resend_once"]]
    """What to do if the provider's response was lost."""
    fallback: NotRequired[MessageFallback]
    idempotency_key: NotRequired[str]
    """A key of this message alone, the same as that of a `POST /v1/messages` with it. Without one, it is derived from the request's key and the place in the list."""


_BatchedInteractiveMessageWords = TypedDict("_BatchedInteractiveMessageWords", {"from": "NotRequired[str]"})


class BatchedInteractiveMessage(_BatchedInteractiveMessageWords):
    """An interactive message. Can be sent within 24 hours of the person's last message, or with a `fallback`."""

    to: str
    """The recipient: a phone number in E.164 format with `+` (spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped), a contact id or a business-scoped user id."""
    type: Literal["interactive"]
    interactive: Interactive
    reply_to: NotRequired[str]
    """The id of the message to quote."""
    reference: NotRequired[str]
    """Your own reference; returned with the message and its events."""
    send_at: NotRequired[str]
    """The earliest time to send the message, up to 30 days ahead; one up to a minute ago is now."""
    expires_at: NotRequired[str]
    """When the message becomes `expired` if it was not dispatched before."""
    take: NotRequired[bool]
    """Send although another responder owns the conversation, which takes it over. Without it a free-form message is refused with `thread_not_owned`; templates go anyway."""
    on_unknown: NotRequired[Literal["hold", "resend_once"]]
    """What to do if the provider's response was lost."""
    fallback: NotRequired[MessageFallback]
    idempotency_key: NotRequired[str]
    """A key of this message alone, the same as that of a `POST /v1/messages` with it. Without one, it is derived from the request's key and the place in the list."""


_BatchedReactionMessageWords = TypedDict("_BatchedReactionMessageWords", {"from": "NotRequired[str]"})


class BatchedReactionMessage(_BatchedReactionMessageWords):
    """A reaction to a message. Can be sent within 24 hours of the person's last message, or with a `fallback`."""

    to: str
    """The recipient: a phone number in E.164 format with `+` (spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped), a contact id or a business-scoped user id."""
    type: Literal["reaction"]
    reaction: BatchedReactionMessageReaction
    """A reaction to a message of the last 30 days."""
    reference: NotRequired[str]
    """Your own reference; returned with the message and its events."""
    send_at: NotRequired[str]
    """The earliest time to send the message, up to 30 days ahead; one up to a minute ago is now."""
    expires_at: NotRequired[str]
    """When the message becomes `expired` if it was not dispatched before."""
    take: NotRequired[bool]
    """Send although another responder owns the conversation, which takes it over. Without it a free-form message is refused with `thread_not_owned`; templates go anyway."""
    on_unknown: NotRequired[Literal["hold", "resend_once"]]
    """What to do if the provider's response was lost."""
    fallback: NotRequired[MessageFallback]
    idempotency_key: NotRequired[str]
    """A key of this message alone, the same as that of a `POST /v1/messages` with it. Without one, it is derived from the request's key and the place in the list."""


class BatchedReactionMessageReaction(TypedDict):
    """A reaction to a message of the last 30 days."""

    message_id: str
    """The id of the message to react to, in either direction."""
    emoji: str
    """One emoji. An empty text removes the reaction."""


class MarkRead(TypedDict):
    typing: NotRequired[bool]
    """Also shows the person that you are writing, until your reply arrives or for 25 seconds."""


class NewTemplate(TypedDict):
    name: str
    """Lower-case letters, digits and underscores. Unique in the account for each language."""
    language: NewTemplateLanguage
    category: Literal["utility", "marketing", "authentication"]
    """The category. The provider may approve the template in another one."""
    components: List[Dict[str, Any]]
    """The components in the provider's format, with sample values for their variables. The sample of a media header is an https link or the id of media (`med_…`), which the gateway uploads, or the handle of an upload."""
    parameter_format: NotRequired[Literal["positional", "named"]]
    """How variables are written: `{{1}}` (default) or `{{name}}`."""
    business_account_id: NotRequired[str]
    """The account to submit it to. Default: that of `phone_number_id`, else of the default phone number."""
    phone_number_id: NotRequired[str]
    """A phone number of the account to submit it to."""
    message_send_ttl_seconds: NotRequired[int]
    """How long the provider tries to deliver a message of this template, in seconds: 30 to 900 for authentication, 30 to 43200 for utility, 43200 to 2592000 for marketing; -1 for 30 days."""


class NewTemplateLanguage(TypedDict):
    code: str
    """The language code."""


class TemplateChange(TypedDict):
    components: NotRequired[List[Dict[str, Any]]]
    """The components in the provider's format, with sample values for their variables. The sample of a media header is an https link or the id of media (`med_…`), which the gateway uploads, or the handle of an upload."""
    category: NotRequired[Literal["utility", "marketing", "authentication"]]
    """The category. The provider may approve the template in another one."""
    message_send_ttl_seconds: NotRequired[int]
    """How long the provider tries to deliver a message of this template, in seconds: 30 to 900 for authentication, 30 to 43200 for utility, 43200 to 2592000 for marketing; -1 for 30 days."""


class TemplateSync(TypedDict):
    business_account_id: NotRequired[str]
    """The account to read. Default: all connected accounts."""


class NewWebhookEndpoint(TypedDict):
    url: str
    """An https URL with a public address and port 443 or 8443, without credentials or spaces. Stored and returned as parsed, with the host in lower-case ASCII."""
    format: NotRequired[Literal["waypost", "provider"]]
    """`waypost`, the default: our own events. `provider`: the envelopes of the provider's callbacks, as any receiver of its callbacks reads them. It cannot be changed."""
    events: NotRequired[List[Literal["*", "messages", "standby_messages", "accepted", "sent", "delivered", "read", "played", "failed", "unknown", "canceled", "expired", "message_deleted", "warning", "payment_updated", "media_available", "media_failed", "pending", "approved", "rejected", "paused", "disabled", "in_appeal", "flagged", "limit_exceeded", "locked", "pending_deletion", "deleted", "archived", "template_quality_changed", "template_category_changed", "template_components_changed", "endpoint_failing", "endpoint_disabled", "permissions_changed", "signup_completed", "signup_revoked", "account_changed", "phone_number_changed", "thread_taken", "thread_released", "contact_created", "contact_updated", "contact_merged", "contact_deleted", "opted_out", "opted_in", "call"]]]
    """The kinds of events to receive, or `*` for all."""
    fields: NotRequired[List[Literal["calls", "message_echoes", "messages", "messaging_handovers", "smb_message_echoes", "standby", "user_preferences", "account_alerts", "account_review_update", "account_settings_update", "account_update", "business_capability_update", "business_status_update", "business_username_updates", "flows", "group_lifecycle_update", "group_settings_update", "group_status_update", "message_template_components_update", "message_template_quality_update", "message_template_status_update", "partner_solutions", "payment_configuration_update", "phone_number_name_update", "phone_number_quality_update", "security", "template_category_update", "template_correct_category_detection"]]]
    """With the format `provider`, in place of `events`: the fields of the provider's callbacks to receive."""
    verify_token: NotRequired[Optional[str]]
    """With the format `provider`: the URL is asked with it as the provider asks, by `hub.mode`, `hub.challenge` and `hub.verify_token`, when the endpoint is created and whenever its URL changes. Kept encrypted and never returned. Null: it is not asked."""
    secret: NotRequired[str]
    """With the format `provider`: your own secret, such as the app secret that the receiver has already. Kept encrypted and never returned."""
    description: NotRequired[Optional[str]]
    ordered: NotRequired[bool]
    """Whether deliveries of a conversation keep their order: a delivery that waits for its retry holds back the later ones."""
    phone_number_ids: NotRequired[Optional[List[str]]]
    """Only events of these numbers, and of their accounts and templates; with `business_account_ids`, of either. Null, the default: of all. Events of contacts and of endpoints come only to endpoints without limits."""
    business_account_ids: NotRequired[Optional[List[str]]]
    """Only events of these accounts, of their templates and of their numbers. Null, the default: of all."""
    headers: NotRequired[Dict[str, str]]
    """Headers that deliveries carry besides those of the gateway, by name. At most 10. Values are kept encrypted and never returned. Headers of the gateway (`x-service-*`, `webhook-*`), of the body (`content-*`) and of the connection cannot be set."""
    timeout_seconds: NotRequired[int]
    """How long an attempt may take, from the connection, which has 5 s of it, to your status line. 15 by default."""
    rate_per_second: NotRequired[Optional[int]]
    """The most attempts that are begun in a second. Null, the default: as many as the endpoint takes."""
    enabled: NotRequired[bool]
    """False: the endpoint begins disabled, and its deliveries wait until it is enabled."""


class WebhookEndpointChange(TypedDict):
    url: NotRequired[str]
    """An https URL with a public address and port 443 or 8443, without credentials or spaces. Stored and returned as parsed, with the host in lower-case ASCII."""
    events: NotRequired[List[Literal["*", "messages", "standby_messages", "accepted", "sent", "delivered", "read", "played", "failed", "unknown", "canceled", "expired", "message_deleted", "warning", "payment_updated", "media_available", "media_failed", "pending", "approved", "rejected", "paused", "disabled", "in_appeal", "flagged", "limit_exceeded", "locked", "pending_deletion", "deleted", "archived", "template_quality_changed", "template_category_changed", "template_components_changed", "endpoint_failing", "endpoint_disabled", "permissions_changed", "signup_completed", "signup_revoked", "account_changed", "phone_number_changed", "thread_taken", "thread_released", "contact_created", "contact_updated", "contact_merged", "contact_deleted", "opted_out", "opted_in", "call"]]]
    """The kinds of events to receive, or `*` for all."""
    fields: NotRequired[List[Literal["calls", "message_echoes", "messages", "messaging_handovers", "smb_message_echoes", "standby", "user_preferences", "account_alerts", "account_review_update", "account_settings_update", "account_update", "business_capability_update", "business_status_update", "business_username_updates", "flows", "group_lifecycle_update", "group_settings_update", "group_status_update", "message_template_components_update", "message_template_quality_update", "message_template_status_update", "partner_solutions", "payment_configuration_update", "phone_number_name_update", "phone_number_quality_update", "security", "template_category_update", "template_correct_category_detection"]]]
    """With the format `provider`, in place of `events`: the fields of the provider's callbacks to receive."""
    verify_token: NotRequired[Optional[str]]
    """With the format `provider`: the URL is asked with it as the provider asks, by `hub.mode`, `hub.challenge` and `hub.verify_token`, when the endpoint is created and whenever its URL changes. Kept encrypted and never returned. Null: it is not asked."""
    description: NotRequired[Optional[str]]
    ordered: NotRequired[bool]
    """Whether deliveries of a conversation keep their order: a delivery that waits for its retry holds back the later ones."""
    phone_number_ids: NotRequired[Optional[List[str]]]
    """Only events of these numbers, and of their accounts and templates; with `business_account_ids`, of either. Null, the default: of all. Events of contacts and of endpoints come only to endpoints without limits."""
    business_account_ids: NotRequired[Optional[List[str]]]
    """Only events of these accounts, of their templates and of their numbers. Null, the default: of all."""
    headers: NotRequired[Dict[str, Optional[str]]]
    """A header that is given is set, null removes it, others stay. At most 10. Values are kept encrypted and never returned. Headers of the gateway (`x-service-*`, `webhook-*`), of the body (`content-*`) and of the connection cannot be set."""
    timeout_seconds: NotRequired[int]
    """How long an attempt may take, from the connection, which has 5 s of it, to your status line. 15 by default."""
    rate_per_second: NotRequired[Optional[int]]
    """The most attempts that are begun in a second. Null, the default: as many as the endpoint takes."""
    enabled: NotRequired[bool]
    """Whether the endpoint receives deliveries. False parks them, true releases them."""


class SecretRotation(TypedDict):
    secret: NotRequired[str]
    """With the format `provider`: your own secret, such as the app secret that the receiver has already. Kept encrypted and never returned."""
    overlap_seconds: NotRequired[int]
    """How long the present secret also signs."""


class NewReplay(TypedDict):
    created_after: str
    """Events created after this time. Those of more than 30 days ago, and those that are no longer kept, are left out."""
    created_before: NotRequired[str]
    """Events created before this time; now by default."""
    events: NotRequired[List[Literal["*", "messages", "standby_messages", "accepted", "sent", "delivered", "read", "played", "failed", "unknown", "canceled", "expired", "message_deleted", "warning", "payment_updated", "media_available", "media_failed", "pending", "approved", "rejected", "paused", "disabled", "in_appeal", "flagged", "limit_exceeded", "locked", "pending_deletion", "deleted", "archived", "template_quality_changed", "template_category_changed", "template_components_changed", "endpoint_failing", "endpoint_disabled", "permissions_changed", "signup_completed", "signup_revoked", "account_changed", "phone_number_changed", "thread_taken", "thread_released", "contact_created", "contact_updated", "contact_merged", "contact_deleted", "opted_out", "opted_in", "call"]]]
    """The kinds of events, or `*` for all; by default those that the endpoint listens to."""
    only: NotRequired[Literal["failed", "missing", "all"]]
    """`failed`: deliveries that were given up. `missing`: events of which the endpoint has no delivery, such as those from before it was created. `all`: both, and deliveries that succeeded. One that still waits for its next attempt is never among them. An endpoint with `phone_number_ids` or `business_account_ids` gets again only what it was sent before."""
    dry_run: NotRequired[bool]
    """True: only counts what fits. False by default."""


class NewBusinessAccount(TypedDict):
    provider_account_id: str
    """The id of the WhatsApp Business Account."""
    access_token: str
    """A provider token with permission to manage the account and to send its messages. Stored encrypted and never returned."""


class BusinessAccountChange(TypedDict):
    messaging_account_id: NotRequired[Optional[str]]
    """The id of the Messaging account that is named in every send of the account's phone numbers; null names none."""


class PhoneNumberChange(TypedDict):
    is_default: NotRequired[bool]
    """Whether this phone number becomes the default. A workspace has one default phone number; it sends messages that have no `from` and belong to no earlier conversation."""
    description: NotRequired[Optional[str]]
    """Your own note; null clears it."""


class BusinessProfileChange(TypedDict):
    about: NotRequired[str]
    """The line below the name. The provider does not let it be cleared."""
    address: NotRequired[Optional[str]]
    description: NotRequired[Optional[str]]
    email: NotRequired[Optional[str]]
    websites: NotRequired[Optional[List[str]]]
    """Addresses with `http://` or `https://`; they replace those that were there."""
    vertical: NotRequired[Literal["ALCOHOL", "APPAREL", "AUTO", "BEAUTY", "EDU", "ENTERTAIN", "EVENT_PLAN", "FINANCE", "GOVT", "GROCERY", "HEALTH", "HOTEL", "MATRIMONY_SERVICE", "NONPROFIT", "NOT_A_BIZ", "ONLINE_GAMBLING", "OTC_DRUGS", "OTHER", "PHYSICAL_GAMBLING", "PROF_SERVICES", "RESTAURANT", "RETAIL", "TRAVEL", None]]
    """The industry, in the provider's words."""
    profile_picture_handle: NotRequired[str]
    """The handle of a picture that was uploaded to the provider."""


class NewEmbeddedSignup(TypedDict):
    code: str
    """The code that the provider's signup dialog returned. It lives for 30 seconds: send it at once."""
    provider_account_id: NotRequired[str]
    """The id of the WhatsApp Business Account to connect, as the dialog reported it. Needed if the customer has granted several. Checked against the token: an account that was not granted is refused."""
    provider_phone_number_id: NotRequired[str]
    """The id of the phone number to register, one of the account's. By default every number that can be is registered."""
    redirect_uri: NotRequired[str]
    """The `redirect_uri` that the dialog was opened with, if it sent the code to an address: the provider compares it. Leave it out for a code of the provider's script."""
    pin: NotRequired[str]
    """The two-step PIN to register the phone numbers with, six digits. Needed for a number that has one already; by default a new one is chosen. Stored encrypted and never returned."""


class SignupResume(TypedDict):
    code: NotRequired[str]
    """The code of a new dialog: the signup begins again with its token."""
    provider_account_id: NotRequired[Optional[str]]
    """The id of the WhatsApp Business Account to connect, as the dialog reported it. Needed if the customer has granted several. Checked against the token: an account that was not granted is refused."""
    provider_phone_number_id: NotRequired[Optional[str]]
    """The id of the phone number to register, one of the account's. By default every number that can be is registered."""
    redirect_uri: NotRequired[str]
    """The `redirect_uri` that the dialog was opened with, if it sent the code to an address: the provider compares it. Leave it out for a code of the provider's script."""
    pin: NotRequired[str]
    """The two-step PIN to register the phone numbers with, six digits. Needed for a number that has one already; by default a new one is chosen. Stored encrypted and never returned."""


class SetupLinkInput(TypedDict):
    return_url: NotRequired[Optional[str]]
    """Where the page sends the client when it has ended, with `status` (`completed`, `failed` or `canceled`) and `embedded_signup_id` added to the query, and nothing else. An address with https; under `npm start` also one of this machine with http. By default the page only says that all is done."""
    expires_at: NotRequired[Optional[str]]
    """When the link stops working: in 7 days at most, by default in 24 hours."""


class ControlConversation(TypedDict):
    phone_number_id: str
    """Your phone number that the conversation is on."""
    action: Literal["take", "release", "pass"]
    """`take`: you answer from now on. `release`: no responder does, and the provider routes the person's next message. `pass`: another responder does."""
    target_role: NotRequired[str]
    """With `pass`: whom it goes to by the provider's roles, such as `ai_agent`. By default the escalation partner."""


class NewContact(TypedDict):
    phone: str
    """With `+` and country code; spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped."""
    name: NotRequired[Optional[str]]
    email: NotRequired[Optional[str]]
    locale: NotRequired[Optional[str]]
    attributes: NotRequired[Dict[str, Optional[Union[str, float, bool]]]]
    """Your own facts, by name. At most 100; names of up to 64 letters, digits, `_`, `.` and `-`; texts of up to 1024 characters."""
    tags: NotRequired[List[str]]
    marketing_consent: NotRequired[Literal["opted_in", "opted_out"]]
    """What the person said to you. A later choice of theirs, such as a STOP, replaces it."""


class ContactChange(TypedDict):
    name: NotRequired[Optional[str]]
    """Null clears it."""
    email: NotRequired[Optional[str]]
    """Null clears it."""
    locale: NotRequired[Optional[str]]
    """Null clears it."""
    attributes: NotRequired[Dict[str, Optional[Union[str, float, bool]]]]
    """Merged into those that there are; null removes one. At most 100; names of up to 64 letters, digits, `_`, `.` and `-`; texts of up to 1024 characters."""
    marketing_consent: NotRequired[Literal["opted_in", "opted_out"]]
    """What the person said to you. A later choice of theirs, such as a STOP, replaces it."""


class AddTags(TypedDict):
    tags: List[str]


class MergeContact(TypedDict):
    contact_id: str
    """The other record of the person. Its id goes on to answer, as the contact's."""


class SegmentPreviewInput(TypedDict):
    filter: Dict[str, Any]
    """Whom the segment has: `{"all": […]}`, `{"any": […]}`, `{"not": {…}}` or `{"field", "op", "value"}`, in each other up to 8 levels deep and 100 in all. | Field | Operators | | --- | --- | | `tags` | `contains`, `not_contains` (one tag), `in` (any of them), `exists` | | `attributes.<name>` | `eq`, `ne`, `in`, `contains`, `not_contains`, `exists`, `gt`, `gte`, `lt`, `lte` | | `name`, `email`, `locale`, `phone` | `eq`, `ne`, `in`, `contains`, `not_contains`, `exists` | | `marketing_consent` | `eq`, `ne`, `in` | | `last_inbound_at`, `created_at` | `gt`, `gte`, `lt`, `lte`, `within_last`; of the first also `exists` | `eq` and `in` (up to 100 values) compare exactly, of `phone` any form of the number; `contains` is a part of the text, whatever its case and accents. An attribute is compared with its like: a text is never more or less than a number; texts are ordered by their characters' code points. `exists` takes true or false, `within_last` a duration of weeks, days, hours, minutes or seconds such as `P7D` or `PT36H`. A contact without the field fits `ne`, `not_contains` and `exists` false, and nothing else; `not` has exactly those whom its node has not."""


class NewSegment(TypedDict):
    name: str
    filter: Dict[str, Any]
    """Whom the segment has: `{"all": […]}`, `{"any": […]}`, `{"not": {…}}` or `{"field", "op", "value"}`, in each other up to 8 levels deep and 100 in all. | Field | Operators | | --- | --- | | `tags` | `contains`, `not_contains` (one tag), `in` (any of them), `exists` | | `attributes.<name>` | `eq`, `ne`, `in`, `contains`, `not_contains`, `exists`, `gt`, `gte`, `lt`, `lte` | | `name`, `email`, `locale`, `phone` | `eq`, `ne`, `in`, `contains`, `not_contains`, `exists` | | `marketing_consent` | `eq`, `ne`, `in` | | `last_inbound_at`, `created_at` | `gt`, `gte`, `lt`, `lte`, `within_last`; of the first also `exists` | `eq` and `in` (up to 100 values) compare exactly, of `phone` any form of the number; `contains` is a part of the text, whatever its case and accents. An attribute is compared with its like: a text is never more or less than a number; texts are ordered by their characters' code points. `exists` takes true or false, `within_last` a duration of weeks, days, hours, minutes or seconds such as `P7D` or `PT36H`. A contact without the field fits `ne`, `not_contains` and `exists` false, and nothing else; `not` has exactly those whom its node has not."""


class SegmentChange(TypedDict):
    name: NotRequired[str]
    filter: NotRequired[Dict[str, Any]]
    """Whom the segment has: `{"all": […]}`, `{"any": […]}`, `{"not": {…}}` or `{"field", "op", "value"}`, in each other up to 8 levels deep and 100 in all. | Field | Operators | | --- | --- | | `tags` | `contains`, `not_contains` (one tag), `in` (any of them), `exists` | | `attributes.<name>` | `eq`, `ne`, `in`, `contains`, `not_contains`, `exists`, `gt`, `gte`, `lt`, `lte` | | `name`, `email`, `locale`, `phone` | `eq`, `ne`, `in`, `contains`, `not_contains`, `exists` | | `marketing_consent` | `eq`, `ne`, `in` | | `last_inbound_at`, `created_at` | `gt`, `gte`, `lt`, `lte`, `within_last`; of the first also `exists` | `eq` and `in` (up to 100 values) compare exactly, of `phone` any form of the number; `contains` is a part of the text, whatever its case and accents. An attribute is compared with its like: a text is never more or less than a number; texts are ordered by their characters' code points. `exists` takes true or false, `within_last` a duration of weeks, days, hours, minutes or seconds such as `P7D` or `PT36H`. A contact without the field fits `ne`, `not_contains` and `exists` false, and nothing else; `not` has exactly those whom its node has not."""


class OwnWorkspaceChange(TypedDict):
    opt_out_keywords: NotRequired[Optional[Dict[str, List[str]]]]
    """Messages that stop marketing to the person who sends them, by language (BCP 47); the languages are for you, and every keyword counts for every person. Replaces all of them; null sets the defaults."""
    opt_in_keywords: NotRequired[Optional[Dict[str, List[str]]]]
    """The same for messages that allow marketing. Keywords that you set are an opt-in of the person who sends one; the defaults only end an opt-out, and are no consent of a person who has said nothing before. A keyword of both lists stops marketing."""
    front_app_secret: NotRequired[Optional[str]]
    """The app secret that signs the callbacks of endpoints which clients of the provider's API set up, from the next attempt on. Kept encrypted and never returned; null removes it."""


class WorkspaceInput(TypedDict):
    name: str
    """A name for humans, such as the workspace's owner."""


class WorkspaceChange(TypedDict):
    name: NotRequired[str]
    """A name for humans, such as the workspace's owner."""
    status: NotRequired[Literal["active", "suspended"]]
    """The status. Calls with keys of a suspended workspace are refused with 403."""


class ApiKeyInput(TypedDict):
    name: str
    """A name for humans, such as the program that uses the key."""
    scopes: List[Literal["messages:read", "messages:write", "media:read", "media:write", "templates:read", "templates:write", "webhooks:read", "webhooks:write", "accounts:read", "accounts:write", "contacts:read", "contacts:write", "keys:write", "audit:read", "*"]]
    """The scopes of the key; `*` is all of them."""
    phone_number_ids: NotRequired[Optional[List[str]]]
    """The phone numbers to which the key is limited: it sends with these alone, and sees nothing of others. Null or absent: all, also those that are connected later."""
    dedupe_by: NotRequired[Literal["biz_opaque_callback_data", None]]
    """For clients of the Cloud API that send no idempotency key: a send whose `biz_opaque_callback_data` is that of one of the last 24 hours gets its answer again, and is not sent. Such values must have 16 characters or more. Null or absent: nothing is taken for a key."""
    expires_at: NotRequired[Optional[str]]
    """When the key expires; null or absent if it does not."""


class RotateApiKeyInput(TypedDict):
    overlap_seconds: NotRequired[int]
    """How long the old key keeps working; 0 ends it immediately."""


class QuarantineReplay(TypedDict):
    reason: str


_MessageWords = TypedDict("_MessageWords", {"from": "Optional[str]"})


class Message(_MessageWords):
    id: str
    direction: Literal["outbound", "inbound"]
    status: Literal["scheduled", "queued", "sending", "accepted", "sent", "delivered", "read", "failed", "canceled", "expired", "unknown", "received"]
    final: bool
    """Whether the status is final: nothing more is tried or expected."""
    to: Optional[str]
    """The recipient's number; null if the person has no visible number."""
    phone_number_id: str
    contact_id: str
    type: str
    """The type of the message. The field of this name holds the content, null once the contact was erased."""
    template: NotRequired[Optional[Dict[str, Any]]]
    """For a template: the name, language and components as they were sent."""
    text: NotRequired[Optional[Dict[str, Any]]]
    """For a text: its `body`."""
    image: NotRequired[Optional[Dict[str, Any]]]
    """For an image: its `id` or `link` and `caption`."""
    video: NotRequired[Optional[Dict[str, Any]]]
    """For a video: its `id` or `link` and `caption`."""
    audio: NotRequired[Optional[Dict[str, Any]]]
    """For audio: its `id` or `link`."""
    document: NotRequired[Optional[Dict[str, Any]]]
    """For a document: its `id` or `link`, `caption` and `filename`."""
    sticker: NotRequired[Optional[Dict[str, Any]]]
    """For a sticker: its `id` or `link`."""
    location: NotRequired[Optional[Dict[str, Any]]]
    """For a location: its `latitude`, `longitude`, `name` and `address`."""
    contacts: NotRequired[Optional[List[Optional[Union[Dict[str, Any], List[Any], str, float, bool]]]]]
    """For contacts: an array of the cards."""
    interactive: NotRequired[Optional[Dict[str, Any]]]
    """For an interactive message: its `type`, `header`, `body`, `footer` and `action`."""
    reaction: NotRequired[Optional[Dict[str, Any]]]
    """For a reaction: its `message_id` and `emoji`. An inbound one to a message that is not known here has the provider's id of it."""
    reply_to: Optional[str]
    button: NotRequired[Optional[Union[Dict[str, Any], List[Any], str, float, bool]]]
    """For a button of a template that was pressed: its `payload` and `text`."""
    order: NotRequired[Optional[Union[Dict[str, Any], List[Any], str, float, bool]]]
    """For an order: `catalog_id`, `text` and `product_items`."""
    system: NotRequired[Optional[Union[Dict[str, Any], List[Any], str, float, bool]]]
    """For a notice of the provider, such as a changed number: its `body` and `type`."""
    edit: NotRequired[Optional[Union[Dict[str, Any], List[Any], str, float, bool]]]
    """For a change of an earlier message: its `original_message_id`, that has the provider's id where the message is not known here, and the new `message`."""
    revoke: NotRequired[Optional[Union[Dict[str, Any], List[Any], str, float, bool]]]
    """For a message that was taken back: its `original_message_id`, that has the provider's id where the message is not known here."""
    request_welcome: NotRequired[Optional[Union[Dict[str, Any], List[Any], str, float, bool]]]
    """Empty: the person has opened the chat for the first time."""
    unsupported: NotRequired[Optional[Union[Dict[str, Any], List[Any], str, float, bool]]]
    """For a type that is not known here: the message as the provider reported it."""
    occurred_at: NotRequired[Optional[str]]
    """The provider's time of a message that it reported: of an inbound one, and of one with an `origin`. Null for others. Absent in the answer to a send."""
    context: NotRequired[Optional[Dict[str, Any]]]
    """Of a message that the provider reported: what it is about, as the provider gave it: the provider's `id` of a quoted message, also one that is not known here, whether it was `forwarded`, and the `referred_product`. Absent in the answer to a send."""
    referral: NotRequired[Optional[Dict[str, Any]]]
    """The ad or post that led the person to write, as the provider gave it. Absent in the answer to a send."""
    errors: NotRequired[Optional[Union[Dict[str, Any], List[Any], str, float, bool]]]
    """What the provider could not pass on of the message, as it gave it. Present where it gave any."""
    group_id: NotRequired[str]
    """The provider's id of the group that the message was written in. Present for these; they open no window and are in no conversation."""
    provider_fields: NotRequired[Dict[str, Any]]
    """What else the provider said of the message, and of its person under `contact`, by the provider's names. Present where there is any."""
    handled_by: NotRequired[Literal["self", "other"]]
    """`other`: another responder of the number owned the conversation when the person wrote, or it wrote the message itself. Absent in the answer to a send."""
    origin: NotRequired[Literal["business_app", "history"]]
    """`business_app`: the business wrote it in the WhatsApp Business app. `history`: it was exchanged there, by either side, before the number was connected; it stands in lists at its own time, which `created_at` is too, its `sequence` is that of when it was taken, and no event announced it."""
    reference: Optional[str]
    """Your own reference."""
    category: Optional[str]
    """The category of the template: utility, marketing or authentication."""
    fallback: NotRequired[Optional[Dict[str, Any]]]
    """What is sent instead when the window is closed, as it was given."""
    fallback_used: NotRequired[bool]
    """Whether the last attempt sent the fallback. Present when there is one."""
    pricing: Optional[Dict[str, Any]]
    """The pricing as the provider reports it: `billable`, `pricing_model`, `category` and `type`."""
    error: Optional[MessageError]
    next_attempt_at: NotRequired[str]
    """The earliest time of the next attempt. Present where the provider refused an attempt for now and the message waits to be tried again; absent in the answer to a send and in events."""
    last_error: NotRequired[MessageError]
    provider_message_id: Optional[str]
    possible_duplicate: bool
    """Whether the message was sent again after a lost response."""
    created_at: str
    estimated_dispatch_at: Optional[str]
    """When the message was going to be sent as far as was known when it was accepted: `send_at`, or the second by which the number has sent what waited before it. Null where that was not known."""
    send_at: Optional[str]
    expires_at: Optional[str]
    accepted_at: Optional[str]
    """When the provider accepted the message. This time and the four below are never earlier than the previous step; `history` has the times as the provider reported them."""
    sent_at: Optional[str]
    delivered_at: Optional[str]
    read_at: Optional[str]
    failed_at: Optional[str]
    sequence: int
    """The order of messages within a conversation: a later message has a larger number. Gaps have no meaning."""


class MessageError(TypedDict):
    code: str
    """A code of the catalogue in docs/errors.md."""
    title: str
    detail: str
    retryable: bool
    """Whether sending the same message again can succeed without a change. Always false while the status is `unknown`."""
    remedy: str
    """What to do about the error."""
    provider: NotRequired[MessageErrorProvider]
    """The provider's own error, if it reported one."""


class MessageErrorProvider(TypedDict):
    """The provider's own error, if it reported one."""

    code: int
    subcode: Optional[int]
    title: str
    details: Optional[str]
    trace_id: Optional[str]
    href: NotRequired[str]
    """The provider's page about the error. Present where it named one."""


class SendBatchResult(TypedDict):
    data: List[SendBatchResultDataItem]
    """One entry for each message, in the order of the request: what was accepted, or why not."""


class SendBatchResultDataItem(TypedDict):
    index: int
    """The place of the message in the request, from 0."""
    message: NotRequired[Message]
    error: NotRequired[Problem]


class MessageValidation(TypedDict):
    sendable: bool
    """Whether the message would be accepted now."""
    problems: List[Problem]
    """Everything that it would be refused with."""
    window: Optional[MessageValidationWindow]
    """The 24-hour window between the sender and the person; null if one of them is not known."""
    template: Optional[MessageValidationTemplate]
    """The template that the message names, or falls back to; null without one."""
    limits: MessageValidationLimits


class MessageValidationWindow(TypedDict):
    """The 24-hour window between the sender and the person; null if one of them is not known."""

    phone_number_id: str
    open: bool
    expires_at: Optional[str]
    """Null if the person has never written to the number."""


class MessageValidationTemplate(TypedDict):
    """The template that the message names, or falls back to; null without one."""

    id: str
    status: str
    category: str


class MessageValidationLimits(TypedDict):
    messaging: Optional[MessageValidationLimitsMessaging]
    """The messaging limit of the business portfolio, which all its phone numbers share: how many people it may write to outside their 24-hour windows within 24 hours (`limit`), how many it has written to (`used`), and when the next of them leaves (`resets_at`). `limit` is null when it is unlimited or not known."""
    queue: Optional[MessageValidationLimitsQueue]
    """The queue of the sender; null if there is none."""


class MessageValidationLimitsMessaging(TypedDict):
    """The messaging limit of the business portfolio, which all its phone numbers share: how many people it may write to outside their 24-hour windows within 24 hours (`limit`), how many it has written to (`used`), and when the next of them leaves (`resets_at`). `limit` is null when it is unlimited or not known."""

    limit: Optional[int]
    used: Optional[int]
    remaining: Optional[int]
    resets_at: Optional[str]


class MessageValidationLimitsQueue(TypedDict):
    """The queue of the sender; null if there is none."""

    waiting: Optional[int]
    """Messages that wait for the number now; null while that is not known."""
    limit: int
    """With so many waiting, messages are refused with `queue_full`."""
    estimated_dispatch_at: Optional[str]
    """When a message that is accepted now would be sent."""


_ListedMessageWords = TypedDict("_ListedMessageWords", {"from": "Optional[str]"})


class ListedMessage(_ListedMessageWords):
    id: str
    direction: Literal["outbound", "inbound"]
    status: Literal["scheduled", "queued", "sending", "accepted", "sent", "delivered", "read", "failed", "canceled", "expired", "unknown", "received"]
    final: bool
    """Whether the status is final: nothing more is tried or expected."""
    to: Optional[str]
    """The recipient's number; null if the person has no visible number."""
    phone_number_id: str
    contact_id: str
    type: str
    """The type of the message. The field of this name holds the content, null once the contact was erased."""
    template: NotRequired[Optional[Dict[str, Any]]]
    """For a template: the name, language and components as they were sent."""
    text: NotRequired[Optional[Dict[str, Any]]]
    """For a text: its `body`."""
    image: NotRequired[Optional[Dict[str, Any]]]
    """For an image: its `id` or `link` and `caption`."""
    video: NotRequired[Optional[Dict[str, Any]]]
    """For a video: its `id` or `link` and `caption`."""
    audio: NotRequired[Optional[Dict[str, Any]]]
    """For audio: its `id` or `link`."""
    document: NotRequired[Optional[Dict[str, Any]]]
    """For a document: its `id` or `link`, `caption` and `filename`."""
    sticker: NotRequired[Optional[Dict[str, Any]]]
    """For a sticker: its `id` or `link`."""
    location: NotRequired[Optional[Dict[str, Any]]]
    """For a location: its `latitude`, `longitude`, `name` and `address`."""
    contacts: NotRequired[Optional[List[Optional[Union[Dict[str, Any], List[Any], str, float, bool]]]]]
    """For contacts: an array of the cards."""
    interactive: NotRequired[Optional[Dict[str, Any]]]
    """For an interactive message: its `type`, `header`, `body`, `footer` and `action`."""
    reaction: NotRequired[Optional[Dict[str, Any]]]
    """For a reaction: its `message_id` and `emoji`. An inbound one to a message that is not known here has the provider's id of it."""
    reply_to: Optional[str]
    button: NotRequired[Optional[Union[Dict[str, Any], List[Any], str, float, bool]]]
    """For a button of a template that was pressed: its `payload` and `text`."""
    order: NotRequired[Optional[Union[Dict[str, Any], List[Any], str, float, bool]]]
    """For an order: `catalog_id`, `text` and `product_items`."""
    system: NotRequired[Optional[Union[Dict[str, Any], List[Any], str, float, bool]]]
    """For a notice of the provider, such as a changed number: its `body` and `type`."""
    edit: NotRequired[Optional[Union[Dict[str, Any], List[Any], str, float, bool]]]
    """For a change of an earlier message: its `original_message_id`, that has the provider's id where the message is not known here, and the new `message`."""
    revoke: NotRequired[Optional[Union[Dict[str, Any], List[Any], str, float, bool]]]
    """For a message that was taken back: its `original_message_id`, that has the provider's id where the message is not known here."""
    request_welcome: NotRequired[Optional[Union[Dict[str, Any], List[Any], str, float, bool]]]
    """Empty: the person has opened the chat for the first time."""
    unsupported: NotRequired[Optional[Union[Dict[str, Any], List[Any], str, float, bool]]]
    """For a type that is not known here: the message as the provider reported it."""
    occurred_at: NotRequired[Optional[str]]
    """The provider's time of a message that it reported: of an inbound one, and of one with an `origin`. Null for others. Absent in the answer to a send."""
    context: NotRequired[Optional[Dict[str, Any]]]
    """Of a message that the provider reported: what it is about, as the provider gave it: the provider's `id` of a quoted message, also one that is not known here, whether it was `forwarded`, and the `referred_product`. Absent in the answer to a send."""
    referral: NotRequired[Optional[Dict[str, Any]]]
    """The ad or post that led the person to write, as the provider gave it. Absent in the answer to a send."""
    errors: NotRequired[Optional[Union[Dict[str, Any], List[Any], str, float, bool]]]
    """What the provider could not pass on of the message, as it gave it. Present where it gave any."""
    group_id: NotRequired[str]
    """The provider's id of the group that the message was written in. Present for these; they open no window and are in no conversation."""
    provider_fields: NotRequired[Dict[str, Any]]
    """What else the provider said of the message, and of its person under `contact`, by the provider's names. Present where there is any."""
    handled_by: NotRequired[Literal["self", "other"]]
    """`other`: another responder of the number owned the conversation when the person wrote, or it wrote the message itself. Absent in the answer to a send."""
    origin: NotRequired[Literal["business_app", "history"]]
    """`business_app`: the business wrote it in the WhatsApp Business app. `history`: it was exchanged there, by either side, before the number was connected; it stands in lists at its own time, which `created_at` is too, its `sequence` is that of when it was taken, and no event announced it."""
    reference: Optional[str]
    """Your own reference."""
    category: Optional[str]
    """The category of the template: utility, marketing or authentication."""
    fallback: NotRequired[Optional[Dict[str, Any]]]
    """What is sent instead when the window is closed, as it was given."""
    fallback_used: NotRequired[bool]
    """Whether the last attempt sent the fallback. Present when there is one."""
    pricing: Optional[Dict[str, Any]]
    """The pricing as the provider reports it: `billable`, `pricing_model`, `category` and `type`."""
    error: Optional[MessageError]
    next_attempt_at: NotRequired[str]
    """The earliest time of the next attempt. Present where the provider refused an attempt for now and the message waits to be tried again; absent in the answer to a send and in events."""
    last_error: NotRequired[MessageError]
    provider_message_id: Optional[str]
    possible_duplicate: bool
    """Whether the message was sent again after a lost response."""
    created_at: str
    estimated_dispatch_at: Optional[str]
    """When the message was going to be sent as far as was known when it was accepted: `send_at`, or the second by which the number has sent what waited before it. Null where that was not known."""
    send_at: Optional[str]
    expires_at: Optional[str]
    accepted_at: Optional[str]
    """When the provider accepted the message. This time and the four below are never earlier than the previous step; `history` has the times as the provider reported them."""
    sent_at: Optional[str]
    delivered_at: Optional[str]
    read_at: Optional[str]
    failed_at: Optional[str]
    sequence: int
    """The order of messages within a conversation: a later message has a larger number. Gaps have no meaning."""
    preview: Optional[str]
    """What the person sees, in one line of at most 160 characters: the text, a template with its parameters, a caption, or a word for what it is. Codes of authentication templates are dots. Null where nothing can be said."""


_MessageWithHistoryWords = TypedDict("_MessageWithHistoryWords", {"from": "Optional[str]"})


class MessageWithHistory(_MessageWithHistoryWords):
    id: str
    direction: Literal["outbound", "inbound"]
    status: Literal["scheduled", "queued", "sending", "accepted", "sent", "delivered", "read", "failed", "canceled", "expired", "unknown", "received"]
    final: bool
    """Whether the status is final: nothing more is tried or expected."""
    to: Optional[str]
    """The recipient's number; null if the person has no visible number."""
    phone_number_id: str
    contact_id: str
    type: str
    """The type of the message. The field of this name holds the content, null once the contact was erased."""
    template: NotRequired[Optional[Dict[str, Any]]]
    """For a template: the name, language and components as they were sent."""
    text: NotRequired[Optional[Dict[str, Any]]]
    """For a text: its `body`."""
    image: NotRequired[Optional[Dict[str, Any]]]
    """For an image: its `id` or `link` and `caption`."""
    video: NotRequired[Optional[Dict[str, Any]]]
    """For a video: its `id` or `link` and `caption`."""
    audio: NotRequired[Optional[Dict[str, Any]]]
    """For audio: its `id` or `link`."""
    document: NotRequired[Optional[Dict[str, Any]]]
    """For a document: its `id` or `link`, `caption` and `filename`."""
    sticker: NotRequired[Optional[Dict[str, Any]]]
    """For a sticker: its `id` or `link`."""
    location: NotRequired[Optional[Dict[str, Any]]]
    """For a location: its `latitude`, `longitude`, `name` and `address`."""
    contacts: NotRequired[Optional[List[Optional[Union[Dict[str, Any], List[Any], str, float, bool]]]]]
    """For contacts: an array of the cards."""
    interactive: NotRequired[Optional[Dict[str, Any]]]
    """For an interactive message: its `type`, `header`, `body`, `footer` and `action`."""
    reaction: NotRequired[Optional[Dict[str, Any]]]
    """For a reaction: its `message_id` and `emoji`. An inbound one to a message that is not known here has the provider's id of it."""
    reply_to: Optional[str]
    button: NotRequired[Optional[Union[Dict[str, Any], List[Any], str, float, bool]]]
    """For a button of a template that was pressed: its `payload` and `text`."""
    order: NotRequired[Optional[Union[Dict[str, Any], List[Any], str, float, bool]]]
    """For an order: `catalog_id`, `text` and `product_items`."""
    system: NotRequired[Optional[Union[Dict[str, Any], List[Any], str, float, bool]]]
    """For a notice of the provider, such as a changed number: its `body` and `type`."""
    edit: NotRequired[Optional[Union[Dict[str, Any], List[Any], str, float, bool]]]
    """For a change of an earlier message: its `original_message_id`, that has the provider's id where the message is not known here, and the new `message`."""
    revoke: NotRequired[Optional[Union[Dict[str, Any], List[Any], str, float, bool]]]
    """For a message that was taken back: its `original_message_id`, that has the provider's id where the message is not known here."""
    request_welcome: NotRequired[Optional[Union[Dict[str, Any], List[Any], str, float, bool]]]
    """Empty: the person has opened the chat for the first time."""
    unsupported: NotRequired[Optional[Union[Dict[str, Any], List[Any], str, float, bool]]]
    """For a type that is not known here: the message as the provider reported it."""
    occurred_at: NotRequired[Optional[str]]
    """The provider's time of a message that it reported: of an inbound one, and of one with an `origin`. Null for others. Absent in the answer to a send."""
    context: NotRequired[Optional[Dict[str, Any]]]
    """Of a message that the provider reported: what it is about, as the provider gave it: the provider's `id` of a quoted message, also one that is not known here, whether it was `forwarded`, and the `referred_product`. Absent in the answer to a send."""
    referral: NotRequired[Optional[Dict[str, Any]]]
    """The ad or post that led the person to write, as the provider gave it. Absent in the answer to a send."""
    errors: NotRequired[Optional[Union[Dict[str, Any], List[Any], str, float, bool]]]
    """What the provider could not pass on of the message, as it gave it. Present where it gave any."""
    group_id: NotRequired[str]
    """The provider's id of the group that the message was written in. Present for these; they open no window and are in no conversation."""
    provider_fields: NotRequired[Dict[str, Any]]
    """What else the provider said of the message, and of its person under `contact`, by the provider's names. Present where there is any."""
    handled_by: NotRequired[Literal["self", "other"]]
    """`other`: another responder of the number owned the conversation when the person wrote, or it wrote the message itself. Absent in the answer to a send."""
    origin: NotRequired[Literal["business_app", "history"]]
    """`business_app`: the business wrote it in the WhatsApp Business app. `history`: it was exchanged there, by either side, before the number was connected; it stands in lists at its own time, which `created_at` is too, its `sequence` is that of when it was taken, and no event announced it."""
    reference: Optional[str]
    """Your own reference."""
    category: Optional[str]
    """The category of the template: utility, marketing or authentication."""
    fallback: NotRequired[Optional[Dict[str, Any]]]
    """What is sent instead when the window is closed, as it was given."""
    fallback_used: NotRequired[bool]
    """Whether the last attempt sent the fallback. Present when there is one."""
    pricing: Optional[Dict[str, Any]]
    """The pricing as the provider reports it: `billable`, `pricing_model`, `category` and `type`."""
    error: Optional[MessageError]
    next_attempt_at: NotRequired[str]
    """The earliest time of the next attempt. Present where the provider refused an attempt for now and the message waits to be tried again; absent in the answer to a send and in events."""
    last_error: NotRequired[MessageError]
    provider_message_id: Optional[str]
    possible_duplicate: bool
    """Whether the message was sent again after a lost response."""
    created_at: str
    estimated_dispatch_at: Optional[str]
    """When the message was going to be sent as far as was known when it was accepted: `send_at`, or the second by which the number has sent what waited before it. Null where that was not known."""
    send_at: Optional[str]
    expires_at: Optional[str]
    accepted_at: Optional[str]
    """When the provider accepted the message. This time and the four below are never earlier than the previous step; `history` has the times as the provider reported them."""
    sent_at: Optional[str]
    delivered_at: Optional[str]
    read_at: Optional[str]
    failed_at: Optional[str]
    sequence: int
    """The order of messages within a conversation: a later message has a larger number. Gaps have no meaning."""
    history: List[MessageHistoryEntry]


class MessageHistoryEntry(TypedDict):
    status: str
    """What was reported. `queued` with an `error`: the provider refused an attempt for now, and the message waits to be tried again."""
    at: str
    received_at: str
    error: Optional[MessageError]
    conversation: NotRequired[Dict[str, Any]]
    """What the provider said with the status of the conversation in which it counts the message, as it gave it: `id`, `origin`, until when. Present where it said any, mostly in free entry windows only."""


class MessageAtProvider(TypedDict):
    message_id: str
    request: Optional[MessageAtProviderRequest]
    """The request of the last attempt. Null before the first, for a message that came from elsewhere, and once the contact was erased."""
    attempts: List[MessageAtProviderAttemptsItem]
    """In their order; of very many the last hundred."""
    reports: List[MessageAtProviderReportsItem]
    """In the order in which they were stored, for as long as events are kept."""


class MessageAtProviderRequest(TypedDict):
    """The request of the last attempt. Null before the first, for a message that came from elsewhere, and once the contact was erased."""

    method: str
    path: str
    """Without its query."""
    body: Dict[str, Any]
    """The JSON that was sent."""


class MessageAtProviderAttemptsItem(TypedDict):
    attempt: int
    """The number of the attempt, from 1."""
    started_at: Optional[str]
    """Of an attempt that is under way; it is not kept of others."""
    completed_at: Optional[str]
    """When its outcome was known."""
    outcome: Literal["accepted", "refused", "lost", "under_way"]
    """`lost`: no answer says what became of it."""
    provider_message_id: Optional[str]
    error: Optional[MessageError]
    """What the provider answered, if it did not accept."""


class MessageAtProviderReportsItem(TypedDict):
    kind: str
    """The kind of the event that announced it."""
    occurred_at: str
    """The provider's time."""
    received_at: str
    """When it was stored."""
    callback: Optional[Dict[str, Any]]
    """The part of the provider's callback that is of this message. Null once that is no longer kept."""


class AuditMessage(TypedDict):
    id: str
    at: str
    message_id: str
    event: str
    """`created` or `received`, then each status once: accepted, sent, delivered, read, played, failed, canceled, expired, unknown, and given_up when nothing was heard of a lost answer; `refused` for each attempt that was refused for now, after which the message is tried again; deleted and warning of older versions of the provider."""
    actor: AuditMessageActor
    detail: Optional[Dict[str, Any]]
    """Of a status the provider's time `occurred_at` and the `error`; of a refused attempt its number too, as `attempt`; at first the `type`, `phone_number_id` and `send_at` of the message. Never content, nor whom it is to."""


class AuditMessageActor(TypedDict):
    type: str
    """api_key for what a call did, contact for what a person wrote, business_app for what was written there, provider for what it reported, else system."""
    id: Optional[str]
    """Of the API key or the contact."""
    name: Optional[str]


class Media(TypedDict):
    id: str
    type: Literal["image", "video", "audio", "document", "sticker"]
    """What it came as, or can be sent as: a file of type `document` is sent in `document`. Decided by the content."""
    mime_type: Optional[str]
    """By the content of the file. Of inbound media that is not here yet as the provider said it."""
    size: Optional[int]
    """In bytes; null until the file is here."""
    sha256: Optional[str]
    """Of the bytes, in hex; null until the file is here."""
    filename: Optional[str]
    """As the sender gave it."""
    status: Literal["pending", "available", "failed"]
    """`pending`: it is being fetched from the provider; after a try that failed `error` says why it is tried again. `failed`: there is no file, and `error` says why."""
    error: Optional[MediaError]
    source: Literal["upload", "inbound"]
    message_id: Optional[str]
    """The message that a person sent it in."""
    content_url: Optional[str]
    """A signed address of the content for readers without a key, valid for 5 minutes. Only in the answer to `GET /v1/media/{id}`, and null until the file is here."""
    content_url_expires_at: Optional[str]
    created_at: str


class MediaError(TypedDict):
    code: Literal["media_failed"]
    detail: str
    """What was wrong, for people."""
    retryable: bool
    """Whether the same file may succeed later."""


class Template(TypedDict):
    id: str
    business_account_id: str
    provider_template_id: str
    name: str
    language: TemplateLanguage
    category: str
    """The category: utility, marketing or authentication."""
    status: Literal["pending", "approved", "rejected", "paused", "disabled", "in_appeal", "flagged", "limit_exceeded", "locked", "pending_deletion", "deleted", "archived"]
    quality: str
    """The provider's quality rating: green, yellow, red or unknown."""
    components: List[Dict[str, Any]]
    """The components in the provider's format."""
    parameter_format: str
    """The format of the parameters: positional or named."""
    rejection_reason: Optional[str]
    """The provider's reason for a rejection."""
    created_at: str
    updated_at: str


class TemplateLanguage(TypedDict):
    code: str


class TemplateValidation(TypedDict):
    valid: bool
    """Whether the template would be submitted to the provider."""
    problems: List[Problem]
    """Everything that it would be refused with."""


class TemplateSyncResult(TypedDict):
    data: List[TemplateSyncResultDataItem]
    """One result for each account."""


class TemplateSyncResultDataItem(TypedDict):
    business_account_id: str
    status: Literal["completed", "running", "failed"]
    """`running`: the provider had not answered in time, and a task goes on. `failed`: see `error`."""
    created: int
    """Templates that were not known here."""
    updated: int
    """Templates that had changed at the provider."""
    deleted: int
    """Templates that the provider no longer has."""
    error: Optional[TemplateSyncResultDataItemError]
    """Why it failed."""


class TemplateSyncResultDataItemError(TypedDict):
    """Why it failed."""

    code: str
    detail: str


class WebhookEndpointWithSecret(TypedDict):
    id: str
    url: str
    format: Literal["waypost", "provider"]
    """`waypost`, the default: our own events. `provider`: the envelopes of the provider's callbacks, as any receiver of its callbacks reads them. It cannot be changed."""
    events: List[str]
    fields: List[Literal["calls", "message_echoes", "messages", "messaging_handovers", "smb_message_echoes", "standby", "user_preferences", "account_alerts", "account_review_update", "account_settings_update", "account_update", "business_capability_update", "business_status_update", "business_username_updates", "flows", "group_lifecycle_update", "group_settings_update", "group_status_update", "message_template_components_update", "message_template_quality_update", "message_template_status_update", "partner_solutions", "payment_configuration_update", "phone_number_name_update", "phone_number_quality_update", "security", "template_category_update", "template_correct_category_detection"]]
    description: Optional[str]
    ordered: bool
    phone_number_ids: Optional[List[str]]
    business_account_ids: Optional[List[str]]
    headers: List[str]
    """The names of the headers that deliveries carry besides those of the gateway; their values are not returned."""
    timeout_seconds: int
    rate_per_second: Optional[int]
    enabled: bool
    status: Literal["active", "failing", "disabled"]
    """`failing`: every attempt of an hour or longer failed. One that succeeds makes it `active` again."""
    disabled_reason: Optional[str]
    """Why the endpoint is disabled: `requested`, `gone` if the receiver responded with 410, or `failing` if every attempt of 5 days failed."""
    created_at: str
    updated_at: str
    secret: NotRequired[str]
    """The secret that signs every delivery. Returned only in this response; store it. Absent where the request brings one."""


class WebhookEndpoint(TypedDict):
    id: str
    url: str
    format: Literal["waypost", "provider"]
    """`waypost`, the default: our own events. `provider`: the envelopes of the provider's callbacks, as any receiver of its callbacks reads them. It cannot be changed."""
    events: List[str]
    fields: List[Literal["calls", "message_echoes", "messages", "messaging_handovers", "smb_message_echoes", "standby", "user_preferences", "account_alerts", "account_review_update", "account_settings_update", "account_update", "business_capability_update", "business_status_update", "business_username_updates", "flows", "group_lifecycle_update", "group_settings_update", "group_status_update", "message_template_components_update", "message_template_quality_update", "message_template_status_update", "partner_solutions", "payment_configuration_update", "phone_number_name_update", "phone_number_quality_update", "security", "template_category_update", "template_correct_category_detection"]]
    description: Optional[str]
    ordered: bool
    phone_number_ids: Optional[List[str]]
    business_account_ids: Optional[List[str]]
    headers: List[str]
    """The names of the headers that deliveries carry besides those of the gateway; their values are not returned."""
    timeout_seconds: int
    rate_per_second: Optional[int]
    enabled: bool
    status: Literal["active", "failing", "disabled"]
    """`failing`: every attempt of an hour or longer failed. One that succeeds makes it `active` again."""
    disabled_reason: Optional[str]
    """Why the endpoint is disabled: `requested`, `gone` if the receiver responded with 410, or `failing` if every attempt of 5 days failed."""
    created_at: str
    updated_at: str


class Delivery(TypedDict):
    id: str
    event_id: str
    webhook_endpoint_id: str
    kind: str
    status: Literal["pending", "succeeded", "failed", "parked"]
    attempt: int
    """The number of attempts so far."""
    next_attempt_at: Optional[str]
    created_at: str
    completed_at: Optional[str]
    attempts: List[DeliveryAttemptsItem]
    """The attempts, oldest first."""


class DeliveryAttemptsItem(TypedDict):
    n: int
    started_at: str
    duration_ms: int
    status_code: Optional[int]
    outcome: str
    error: Optional[str]
    response: Optional[str]
    """The start of the response body. Null where it could repeat what may not be read: once the person is erased or the event is not kept, and for messages without the scope `messages:read`."""
    request: NotRequired[DeliveryAttemptsItemRequest]
    """What was posted. Only where one delivery is read."""


class DeliveryAttemptsItemRequest(TypedDict):
    """What was posted. Only where one delivery is read."""

    headers: Dict[str, Optional[str]]
    """Its headers without the signatures, by names in lower case. Those that the endpoint has of its own now are null."""
    body: Optional[str]
    """Its body, rendered from what is kept of the event now; null when the event is not kept. Without the scope `messages:read`, messages have no content."""


class DeliverySummary(TypedDict):
    id: str
    event_id: str
    webhook_endpoint_id: str
    kind: str
    status: Literal["pending", "succeeded", "failed", "parked"]
    attempt: int
    """The number of attempts so far."""
    next_attempt_at: Optional[str]
    created_at: str
    completed_at: Optional[str]


class Replay(TypedDict):
    id: str
    webhook_endpoint_id: str
    created_after: str
    created_before: str
    events: List[str]
    only: Literal["failed", "missing", "all"]
    """`failed`: deliveries that were given up. `missing`: events of which the endpoint has no delivery, such as those from before it was created. `all`: both, and deliveries that succeeded. One that still waits for its next attempt is never among them. An endpoint with `phone_number_ids` or `business_account_ids` gets again only what it was sent before."""
    dry_run: bool
    status: Literal["pending", "running", "completed", "failed"]
    """`completed`: each delivery that was scheduled has succeeded or failed. `failed`: it could not go on, as `error` says: `endpoint_deleted` or, where deliveries wait no longer for it, `endpoint_disabled`; after another error those that are scheduled are still attempted."""
    progress: ReplayProgress
    error: Optional[ReplayError]
    """Why it failed."""
    created_at: str
    completed_at: Optional[str]


class ReplayProgress(TypedDict):
    matched: int
    """Events that were found so far."""
    scheduled: int
    """Deliveries of them that are attempted by this replay; none in a dry run."""
    succeeded: int
    """Of these, those that the endpoint took."""
    failed: int
    """Of these, those that were given up."""


class ReplayError(TypedDict):
    """Why it failed."""

    code: str
    detail: str


class Event(TypedDict):
    """An event, as it is the body of its deliveries."""

    id: str
    kind: str
    """What happened, such as `delivered`."""
    category: str
    """The group of the kind, whose `data` has the same fields."""
    workspace_id: str
    created_at: str
    sequence: int
    """The order of events within a conversation: a later one has a larger number. Gaps have no meaning."""
    data: Dict[str, Any]
    """What the event is about, by its category."""
    truncated: NotRequired[bool]
    """True where the body would be larger than 256 KiB: `data` has ids, states and what else is short, without the content."""


class BusinessAccount(TypedDict):
    id: str
    provider_account_id: str
    name: str
    status: Literal["connecting", "connected", "restricted", "disconnected"]
    status_reason: Optional[str]
    """Why the account is not connected, or why a new token was refused."""
    phone_numbers: List[PhoneNumber]
    portfolio_id: Optional[str]
    """The id of the business portfolio at the provider."""
    time_zone: Optional[str]
    """The IANA name of the time zone that the provider bills the account in. Null while it is not known, or when the provider's is not known here; UTC is assumed then."""
    messaging_account_id: Optional[str]
    """The id of the Messaging account that sends name, where the provider has several for one of the phone numbers. Null: none is named."""
    waac_id: Optional[str]
    """The id of the WhatsApp account, once the provider has named it in a callback."""
    created_at: str


class PhoneNumber(TypedDict):
    id: str
    provider_phone_number_id: str
    """The phone number's id at the provider."""
    business_account_id: str
    phone: str
    """The phone number in E.164 format, with `+`."""
    verified_name: Optional[str]
    """The name that recipients see."""
    quality: str
    """The provider's quality rating: green, yellow, red or unknown."""
    status: str
    """The provider's status in lower case. A `connected` phone number can send; one that is `flagged`, `restricted` or `rate_limited` as far as the provider lets it, and none that is `pending`, `unverified`, `disconnected`, `banned`, `migrated` or `deleted`."""
    throughput_per_second: int
    """The number of messages per second that the provider accepts."""
    is_default: bool
    """Whether this phone number sends messages that have no `from` and belong to no earlier conversation."""
    description: Optional[str]
    """Your own note."""
    messaging_limit: PhoneNumberMessagingLimit
    """The messaging limit of the business portfolio, which all its phone numbers share: how many people it may write to outside their 24-hour windows within 24 hours (`limit`), how many it has written to (`used`), and when the next of them leaves (`resets_at`). `limit` is null when it is unlimited or not known."""
    service_allowance: ServiceAllowance
    marketing_stopped_until: Optional[str]
    """When one marketing message is tried again, after the provider refused marketing of this phone number as spam; until one is accepted, marketing templates wait. Null if nothing is held back."""


class PhoneNumberMessagingLimit(TypedDict):
    """The messaging limit of the business portfolio, which all its phone numbers share: how many people it may write to outside their 24-hour windows within 24 hours (`limit`), how many it has written to (`used`), and when the next of them leaves (`resets_at`). `limit` is null when it is unlimited or not known."""

    limit: Optional[int]
    used: Optional[int]
    remaining: Optional[int]
    resets_at: Optional[str]


class ServiceAllowance(TypedDict):
    """What the provider delivers free of charge of messages that are no templates."""

    included: int
    """Service messages that the provider delivers free of charge in a calendar month."""
    used: Optional[int]
    """Service messages of this phone number that were delivered in the running month, as far as this gateway sent them; may be more than `included`. Reactions do not count, nor do messages that are free for another reason: an entry point such as an advertisement, or an exempt organisation. At most a minute late. Null in events."""
    remaining: Optional[int]
    """How many are left at most: other partners that send from the same phone number use the same allowance, which cannot be seen from here. Null in events."""
    resets_at: Optional[str]
    """When the next month begins, in the time zone of the business account, or in UTC while that is not known. Null in events."""


class PhoneNumberHealth(TypedDict):
    phone_number_id: str
    checks: List[PhoneNumberHealthChecksItem]
    """Always all of them, in this order: the first that is not `ok` is mostly why others are not."""


class PhoneNumberHealthChecksItem(TypedDict):
    name: Literal["token", "access", "subscribed", "callback_seen", "registered", "quality", "throughput", "limit"]
    """`token`: the provider lets the account's token in. `access`: the account may send. `subscribed`: the gateway's app gets its callbacks. `callback_seen`: callbacks of this number arrive. `registered`: the number can send. `quality`: people do not block or report it. `throughput`: the messages a second that the provider allows. `limit`: there is room in the messaging limit."""
    ok: Optional[bool]
    """Null: it is not known."""
    detail: str
    """What was found."""
    remedy: Optional[str]
    """What to do; null where there is nothing to do."""
    checked_at: str


class BusinessProfile(TypedDict):
    phone_number_id: str
    about: Optional[str]
    """The line below the name."""
    address: Optional[str]
    description: Optional[str]
    email: Optional[str]
    websites: List[str]
    vertical: Optional[str]
    """The industry, in the provider's words: `RETAIL`. Null if the profile names none."""
    profile_picture_url: Optional[str]
    """The provider's address of the picture. It expires: do not store it."""


class EmbeddedSignup(TypedDict):
    id: str
    status: Literal["pending", "running", "completed", "failed"]
    provider_account_id: Optional[str]
    """The provider's id of the account: as it was given until `verify_ownership` is done."""
    provider_phone_number_id: Optional[str]
    """The phone number that was given; null for all of the account."""
    business_account_id: Optional[str]
    """The connected account, once the signup is completed."""
    steps: List[EmbeddedSignupStepsItem]
    """The steps, in the order in which they are done."""
    created_at: str
    updated_at: str
    completed_at: Optional[str]


class EmbeddedSignupStepsItem(TypedDict):
    name: Literal["exchange", "inspect_token", "verify_ownership", "subscribe", "register", "import"]
    status: Literal["pending", "done", "failed"]
    detail: Optional[str]
    """What was done, or why it was not and what to do about it."""
    error: Optional[EmbeddedSignupStepsItemError]
    """Why the step has failed, or why it is tried again."""
    completed_at: Optional[str]


class EmbeddedSignupStepsItemError(TypedDict):
    """Why the step has failed, or why it is tried again."""

    code: Literal["code_expired", "code_rejected", "token_invalid", "token_of_another_app", "scope_missing", "account_not_granted", "account_required", "phone_number_not_found", "phone_number_not_verified", "pin_wrong", "conflict", "provider_rejected", "provider_unavailable", "secrets_unreadable", "given_up"]
    retryable: bool
    """Whether the step is tried again without a call of yours."""
    provider: Optional[EmbeddedSignupStepsItemErrorProvider]
    """The provider's own error."""


class EmbeddedSignupStepsItemErrorProvider(TypedDict):
    """The provider's own error."""

    code: int
    subcode: Optional[int]
    title: str
    details: Optional[str]
    trace_id: Optional[str]


class EmbeddedSignupConfig(TypedDict):
    dialog_url: Optional[str]
    """The address of the provider's dialog. Add a `state` of your own: it comes back beside the `code`. Null while the operator has not set `PROVIDER_APP_ID` and `PROVIDER_SIGNUP_CONFIG_ID`."""
    app_id: Optional[str]
    """The operator's app at the provider."""
    config_id: Optional[str]
    """The configuration of the dialog."""
    redirect_uri: str
    """The page of this gateway to which the dialog returns: send it as `redirect_uri` beside the `code` of this dialog."""


class NewSetupLink(TypedDict):
    id: str
    status: Literal["open", "completed", "revoked", "expired"]
    """`open` until an account is connected by it (`completed`), it is revoked or it expires. A signup that was begun goes on all the same, and makes the link `completed` when it succeeds."""
    expires_at: str
    return_url: Optional[str]
    """Where the page sends the client afterwards."""
    embedded_signup_id: Optional[str]
    """The signup that was begun by the link. It has one at most, which the page resumes."""
    created_at: str
    url: str
    """The address to send to the client, returned only in this response. What stands behind its `#` is a secret: who has it can connect an account to this workspace."""


class SetupLink(TypedDict):
    id: str
    status: Literal["open", "completed", "revoked", "expired"]
    """`open` until an account is connected by it (`completed`), it is revoked or it expires. A signup that was begun goes on all the same, and makes the link `completed` when it succeeds."""
    expires_at: str
    return_url: Optional[str]
    """Where the page sends the client afterwards."""
    embedded_signup_id: Optional[str]
    """The signup that was begun by the link. It has one at most, which the page resumes."""
    created_at: str


class Conversation(TypedDict):
    contact_id: str
    phone_number_id: str
    """Your phone number."""
    contact: ConversationContact
    last_message: ListedMessage
    unread_count: int
    """The person's messages since the last one that you marked as read, counted among the latest 500 that were exchanged."""
    window: ConversationWindow
    owner: ConversationOwner
    updated_at: str


class ConversationContact(TypedDict):
    id: str
    name: Optional[str]
    """The name that you use, else the one that the person uses."""
    phone: Optional[str]
    """Null if the person has no visible number."""


class ConversationWindow(TypedDict):
    open: bool
    """Whether free-form messages can be sent now."""
    expires_at: Optional[str]
    """Null if the person never wrote to this number."""


class ConversationOwner(TypedDict):
    role: Literal["self", "other", "none"]
    """Who answers, where the provider has several responders for the number: you, another one, or neither. Free-form messages to a conversation of another one are refused without `take`."""
    since: Optional[str]
    """Null where nothing was said of it. Ownership ends a day after the person's last message."""


class ContactImport(TypedDict):
    id: str
    status: Literal["pending", "running", "completed", "failed", "canceled"]
    """`completed`: the whole file was read, rows that were refused are in `progress.failed`. After `failed` and `canceled` the rows that are counted stay imported."""
    format: Literal["csv", "ndjson"]
    mapping: Dict[str, Optional[str]]
    """As it was given: column → field, null for a column that is ignored."""
    progress: ContactImportProgress
    error: Optional[ContactImportErrorObject]
    """Why it failed."""
    created_at: str
    completed_at: Optional[str]


class ContactImportProgress(TypedDict):
    rows: int
    """Rows that were read, those without any change too."""
    created: int
    """Contacts that were created."""
    updated: int
    """Contacts that were changed."""
    failed: int
    """Rows that were refused."""
    bytes: int
    """Bytes of the file that were read."""
    total_bytes: int
    """Bytes of the file."""


class ContactImportErrorObject(TypedDict):
    """Why it failed."""

    code: str
    detail: str


class ContactImportError(TypedDict):
    row: int
    """The row of data, from 1."""
    line: int
    """The line of the file on which the row begins, from 1."""
    column: Optional[str]
    """As the file calls it, or its place (`#3`) where it has no name; null for the row as a whole."""
    code: str
    detail: str
    """What the column takes. The value itself is not repeated."""


class Contact(TypedDict):
    id: str
    phone: Optional[str]
    """In E.164 as first seen; null if the person has no visible number."""
    wa_id: Optional[str]
    """The number as the provider calls it; messages go to this form. Null until a message is reported as sent, delivered or read, or the person writes; or the answer to a send names another form than was written to. An id of the provider that is no number is shown here too, and cannot be written to."""
    user_id: Optional[str]
    """The person's business-scoped user id."""
    parent_user_id: Optional[str]
    """The user id above it, where portfolios are linked."""
    username: Optional[str]
    profile_name: Optional[str]
    """The name that the person uses."""
    name: Optional[str]
    """The name that you use."""
    email: Optional[str]
    locale: Optional[str]
    """A language tag such as `pt_BR`."""
    attributes: Dict[str, Union[str, float, bool]]
    """Your own facts, by name."""
    tags: List[str]
    """Sorted, each once."""
    marketing_consent: Literal["unknown", "opted_in", "opted_out"]
    """Marketing templates to a person who opted out are refused. The person's most recent choice applies."""
    consent_source: Literal["preference", "signup", "keyword", "client", "import", None]
    """Where it was said: the person's setting in WhatsApp, their sign-up for your marketing there, a keyword that they wrote, a call of yours, or an import."""
    last_inbound_at: Optional[str]
    """The provider's time of the last message that opened a window."""
    windows: List[ContactWindowsItem]
    """The 24-hour windows with your numbers, by the last message of each."""
    created_at: str
    updated_at: str


class ContactWindowsItem(TypedDict):
    phone_number_id: str
    open: bool
    """Whether free-form messages can be sent now."""
    expires_at: str


class GoneContact(TypedDict):
    """With `sort=updated_at`: there is no contact of this id any more, because it was erased or merged into another."""

    id: str
    deleted: Literal[True]


class TagList(TypedDict):
    data: List[TagListDataItem]
    complete: bool
    """False in very large workspaces: the 200,000 newest contacts were counted, or there are more than 1,000 names."""


class TagListDataItem(TypedDict):
    name: str
    count: int


class ContactBatchResult(TypedDict):
    data: List[ContactBatchResultDataItem]
    """One entry for each contact, in the order of the request."""


class ContactBatchResultDataItem(TypedDict):
    index: int
    """The place in the request, from 0."""
    outcome: NotRequired[Literal["created", "updated", "unchanged"]]
    contact: NotRequired[Contact]
    error: NotRequired[Problem]


class Segment(TypedDict):
    id: str
    name: str
    filter: Dict[str, Any]
    """Whom the segment has: `{"all": […]}`, `{"any": […]}`, `{"not": {…}}` or `{"field", "op", "value"}`, in each other up to 8 levels deep and 100 in all. | Field | Operators | | --- | --- | | `tags` | `contains`, `not_contains` (one tag), `in` (any of them), `exists` | | `attributes.<name>` | `eq`, `ne`, `in`, `contains`, `not_contains`, `exists`, `gt`, `gte`, `lt`, `lte` | | `name`, `email`, `locale`, `phone` | `eq`, `ne`, `in`, `contains`, `not_contains`, `exists` | | `marketing_consent` | `eq`, `ne`, `in` | | `last_inbound_at`, `created_at` | `gt`, `gte`, `lt`, `lte`, `within_last`; of the first also `exists` | `eq` and `in` (up to 100 values) compare exactly, of `phone` any form of the number; `contains` is a part of the text, whatever its case and accents. An attribute is compared with its like: a text is never more or less than a number; texts are ordered by their characters' code points. `exists` takes true or false, `within_last` a duration of weeks, days, hours, minutes or seconds such as `P7D` or `PT36H`. A contact without the field fits `ne`, `not_contains` and `exists` false, and nothing else; `not` has exactly those whom its node has not."""
    count: Optional[int]
    """The contacts that fit, counted for this response. Where that takes longer than half a second, as last counted in the background; null before that."""
    counted_at: Optional[str]
    """When it was counted."""
    created_at: str
    updated_at: str


class SegmentPreview(TypedDict):
    count: Optional[int]
    """The contacts that fit; null where counting them takes longer than half a second."""
    data: List[Contact]
    """The newest of them, up to ten; fewer where few of very many fit."""


class OwnWorkspace(TypedDict):
    id: str
    name: str
    """The name of the workspace."""
    status: str
    """The status: active or suspended."""
    created_at: str
    updated_at: str
    api_key: Optional[ApiKey]
    """The calling key; null in a session of the operator."""
    limits: OwnWorkspaceLimits
    opt_out_keywords: Dict[str, List[str]]
    """Messages that stop marketing, by language: yours, or the defaults."""
    opt_in_keywords: Dict[str, List[str]]
    """Messages that allow marketing, by language: yours, or the defaults, which only end an opt-out."""


class OwnWorkspaceLimits(TypedDict):
    requests_per_second: Optional[int]
    """The limit of requests per second; null if there is none."""


class ApiKey(TypedDict):
    id: str
    name: str
    """The name that you gave the key."""
    hint: str
    """The first characters after `wp_live_`, to recognise the key."""
    scopes: List[str]
    """The scopes of the key; `*` is all of them."""
    phone_number_ids: Optional[List[str]]
    """The phone numbers to which the key is limited; null if it is for all of the workspace."""
    dedupe_by: Literal["biz_opaque_callback_data", None]
    """The field whose value is the idempotency key of a request to the Cloud API front that brings none; null if there is none."""
    expires_at: Optional[str]
    """When the key expires; null if it does not."""
    revoked_at: Optional[str]
    """When the key was revoked; null if it was not."""
    replaced_by: Optional[str]
    """The key that replaced this one in a rotation."""
    last_used_at: Optional[str]
    """When the key was last used, accurate to about a minute."""
    created_at: str


class Workspace(TypedDict):
    id: str
    name: str
    """The name of the workspace."""
    status: str
    """The status: active or suspended."""
    created_at: str
    updated_at: str


class NewApiKey(TypedDict):
    id: str
    name: str
    """The name that you gave the key."""
    hint: str
    """The first characters after `wp_live_`, to recognise the key."""
    scopes: List[str]
    """The scopes of the key; `*` is all of them."""
    phone_number_ids: Optional[List[str]]
    """The phone numbers to which the key is limited; null if it is for all of the workspace."""
    dedupe_by: Literal["biz_opaque_callback_data", None]
    """The field whose value is the idempotency key of a request to the Cloud API front that brings none; null if there is none."""
    expires_at: Optional[str]
    """When the key expires; null if it does not."""
    revoked_at: Optional[str]
    """When the key was revoked; null if it was not."""
    replaced_by: Optional[str]
    """The key that replaced this one in a rotation."""
    last_used_at: Optional[str]
    """When the key was last used, accurate to about a minute."""
    created_at: str
    key: str
    """The text of the key, returned only in this response."""


class AuditActivity(TypedDict):
    id: str
    at: str
    actor: AuditActivityActor
    action: str
    resource: AuditActivityResource
    request: AuditActivityRequest
    response: AuditActivityResponse
    changes: Optional[Dict[str, Any]]
    """What the call changed, without secrets; its fields depend on the action. Null if nothing changed."""


class AuditActivityActor(TypedDict):
    type: str
    """The type of the actor: api_key, operator, setup_link, system or anonymous."""
    id: Optional[str]
    name: Optional[str]


class AuditActivityResource(TypedDict):
    type: Optional[str]
    id: Optional[str]


class AuditActivityRequest(TypedDict):
    method: Optional[str]
    path: Optional[str]
    request_id: Optional[str]
    session: Optional[str]
    """Id of the console's session by which the call came; null if it came with a key."""
    ip: Optional[str]
    user_agent: Optional[str]


class AuditActivityResponse(TypedDict):
    status: Optional[int]
    code: Optional[str]
    """The error code; null if the call succeeded."""


class Usage(TypedDict):
    data: List[UsageEntry]


class UsageEntry(TypedDict):
    day: str
    """In UTC: the day on which the message was accepted or arrived."""
    direction: Literal["outbound", "inbound"]
    status: str
    """The status that the messages have now; `queued` also stands for those that are being sent."""
    category: Optional[str]
    """The category that the provider charges by, once it has reported one, with underscores (`authentication_international`); else that of the template, null for other types."""
    phone_number_id: str
    count: int
    """The number of messages."""
    billable: int
    """How many of them the provider reports as charged: those whose price has the type `regular`, but for the exempt ones of eligible organisations; without a type, those that it calls `billable`. Only what is delivered is charged."""
    cost: Optional[UsageEntryCost]
    """Null as long as no price list is set."""


class UsageEntryCost(TypedDict):
    """Null as long as no price list is set."""

    amount: str
    currency: str


class MessageMetrics(TypedDict):
    data: List[MessageMetric]


class MessageMetric(TypedDict):
    """What happened in an interval, which begins at `at` in UTC."""

    at: str
    status: NotRequired[Literal["scheduled", "queued", "sending", "accepted", "sent", "delivered", "read", "failed", "canceled", "expired", "unknown", "received"]]
    """The status that the messages came to; `received` are inbound ones. With this `group_by` alone."""
    category: NotRequired[Optional[str]]
    """The category of the template; null for other types. With this `group_by` alone."""
    template: NotRequired[Optional[str]]
    """The name of the template; null for other types. With this `group_by` alone."""
    phone_number_id: NotRequired[str]
    """The phone number that sent or received them. With this `group_by` alone."""
    error_code: NotRequired[Optional[str]]
    """The code of `error`. With this `group_by` alone."""
    count: int
    """By `status`, the messages that came to it in the interval; by `error_code`, those that failed or expired in it; else those that were received, or of which a first outcome was known."""
    p50_ms: Optional[int]
    """Milliseconds that half of them took at most, to within 5 %: from `accepted` to `delivered`, of those that were delivered in the interval. Null where none did."""
    p95_ms: Optional[int]
    """The same of 95 %."""


class DeliveryMetrics(TypedDict):
    data: List[DeliveryMetric]


class DeliveryMetric(TypedDict):
    """Attempts in an interval, which begins at `at` in UTC."""

    at: str
    status: NotRequired[Literal["succeeded", "failed"]]
    """How the attempts ended. With this `group_by` alone."""
    webhook_endpoint_id: NotRequired[str]
    """The endpoint that was called. With this `group_by` alone."""
    count: int
    """Attempts that began in the interval."""
    p50_ms: Optional[int]
    """Milliseconds that half of them took at most, to within 5 %: how long the attempts took. Null where none did."""
    p95_ms: Optional[int]
    """The same of 95 %."""


class QuarantinedChange(TypedDict):
    id: str
    reason: str
    """Why the change is quarantined: `failed` (applying it failed; replayed automatically), `unowned` (its phone number or account is not connected; replayed when it is connected), `missing` (the raw callback is no longer stored), `not_json`, `status of an inbound message`, `unknown field`, or another description of what is not understood."""
    detail: Optional[str]
    """For `failed`: the SQLSTATE with table and constraint, or the name of the error."""
    provider_phone_number_id: Optional[str]
    """The provider's id of the phone number, if the change names one."""
    provider_account_id: Optional[str]
    """The provider's id of the account, if the change names one."""
    replays: int
    """The number of replays that failed."""
    next_replay_at: Optional[str]
    """When the change is replayed automatically."""
    created_at: str
    replayed_at: Optional[str]
    """When the change was put back into the queue; null if it was not replayed yet."""


class QuarantinedCallback(TypedDict):
    id: str
    reason: str
    """Why the change is quarantined: `failed` (applying it failed; replayed automatically), `unowned` (its phone number or account is not connected; replayed when it is connected), `missing` (the raw callback is no longer stored), `not_json`, `status of an inbound message`, `unknown field`, or another description of what is not understood."""
    detail: Optional[str]
    """For `failed`: the SQLSTATE with table and constraint, or the name of the error."""
    provider_phone_number_id: Optional[str]
    """The provider's id of the phone number, if the change names one."""
    provider_account_id: Optional[str]
    """The provider's id of the account, if the change names one."""
    replays: int
    """The number of replays that failed."""
    next_replay_at: Optional[str]
    """When the change is replayed automatically."""
    created_at: str
    replayed_at: Optional[str]
    """When the change was put back into the queue; null if it was not replayed yet."""
    change: Optional[Union[Dict[str, Any], List[Any], str, float, bool]]
    """The part of the callback that is not understood. Null where that is not the reason."""
    callback: Optional[QuarantinedCallbackCallback]
    """The callback, as the provider posted it. Null once it is no longer kept."""


class QuarantinedCallbackCallback(TypedDict):
    """The callback, as the provider posted it. Null once it is no longer kept."""

    received_at: str
    """When it was stored."""
    encoding: Literal["utf-8", "base64"]
    """How `body` is written: bytes that are not UTF-8 are in base64."""
    body: str
    """The body that was posted, byte for byte. It need not be JSON."""


class QuarantineReplayed(TypedDict):
    replayed: int
    """The number of changes that this call put back into the queue."""
    has_more: bool
    """Whether more changes with this reason may be left; if so, call again."""


class System(TypedDict):
    version: str
    """Of the process that answers."""
    processes: List[SystemProcessesItem]
    """Those that are alive, at most 200."""
    queues: List[SystemQueuesItem]
    database: SystemDatabase
    migrations: SystemMigrations


class SystemProcessesItem(TypedDict):
    id: str
    """The process's own id, as in its log."""
    roles: List[Literal["api", "ingress", "dispatch", "deliver", "maintenance"]]
    version: str
    slots: SystemProcessesItemSlots
    """How many of the slots of each kind of work the process has."""
    lease_expires_at: str
    """When others take over its slots, unless it says before that it is alive."""


class SystemProcessesItemSlots(TypedDict):
    """How many of the slots of each kind of work the process has."""

    dispatch: int
    deliver: int
    ingest: int
    task: int
    redeliver: int
    fetch: int


class SystemQueuesItem(TypedDict):
    kind: Literal["dispatch", "deliver", "ingest", "task", "redeliver", "fetch"]
    rows: int
    """As the statistics of the database estimate them, work for later included."""
    slots: int
    slots_owned: int
    """Work of a slot that no process has stands still."""
    oldest_due_at: Optional[str]
    """Since when the oldest work could have started, among the first lanes of each slot; of `redeliver` perhaps since its first delivery. Null where nothing is due."""


class SystemDatabase(TypedDict):
    version: str
    size_bytes: Optional[int]
    """Null where it took too long to find out."""


class SystemMigrations(TypedDict):
    applied: int
    latest: Optional[str]
    pending: List[str]
    """Those of this version that the database does not have."""


class InboundMessageEvent(TypedDict):
    """`messages`: A person has written. What this version does not model has `type: "unsupported"` and the raw content. `standby_messages`: A person has written in a conversation that another responder answers."""

    id: str
    """Stays the same over all attempts and replays: use it to do nothing twice."""
    kind: Literal["messages", "standby_messages"]
    category: Literal["inbound_message"]
    workspace_id: str
    created_at: str
    sequence: int
    """The order of events within a conversation: a later one has a larger number. Gaps have no meaning."""
    data: InboundMessageEventData
    truncated: NotRequired[bool]
    """True where the body would be larger than 256 KiB: `data` has ids, states and what else is short, without the content."""


class InboundMessageEventData(TypedDict):
    message: Optional[Message]
    """The message; null once it is no longer kept."""
    contact: Optional[ContactSnapshot]
    """Who wrote; null once the person was erased."""


class ContactSnapshot(TypedDict):
    """A contact without what changes with each message."""

    id: str
    phone: Optional[str]
    """In E.164 as first seen; null if the person has no visible number."""
    wa_id: Optional[str]
    """The number as the provider calls it; messages go to this form. Null until a message is reported as sent, delivered or read, or the person writes; or the answer to a send names another form than was written to. An id of the provider that is no number is shown here too, and cannot be written to."""
    user_id: Optional[str]
    """The person's business-scoped user id."""
    parent_user_id: Optional[str]
    """The user id above it, where portfolios are linked."""
    username: Optional[str]
    profile_name: Optional[str]
    """The name that the person uses."""
    name: Optional[str]
    """The name that you use."""
    email: Optional[str]
    locale: Optional[str]
    """A language tag such as `pt_BR`."""
    attributes: Dict[str, Union[str, float, bool]]
    """Your own facts, by name."""
    tags: List[str]
    """Sorted, each once."""
    marketing_consent: Literal["unknown", "opted_in", "opted_out"]
    """Marketing templates to a person who opted out are refused. The person's most recent choice applies."""
    consent_source: Literal["preference", "signup", "keyword", "client", "import", None]
    """Where it was said: the person's setting in WhatsApp, their sign-up for your marketing there, a keyword that they wrote, a call of yours, or an import."""
    created_at: str
    updated_at: str


class MessageStatusEvent(TypedDict):
    """`accepted`: The provider has accepted the message and given it an id. `sent`: The message is on its way to the person. `delivered`: The message has reached the person's device. `read`: The person has read the message. `played`: The person has played the voice message. `failed`: The message was not and will not be delivered; `error` says why. `unknown`: The provider's answer was lost: whether the message was sent is not known yet. With `settled: false` nothing has shown it in ten minutes. `canceled`: You have canceled the message before it was sent. `expired`: The message was not sent by its `expires_at`. `message_deleted`: The message was deleted; `data.status` is `deleted`. `warning`: The provider has something to say of a message that goes on; its status stays."""

    id: str
    """Stays the same over all attempts and replays: use it to do nothing twice."""
    kind: Literal["accepted", "sent", "delivered", "read", "played", "failed", "unknown", "canceled", "expired", "message_deleted", "warning"]
    category: Literal["message_status"]
    workspace_id: str
    created_at: str
    sequence: int
    """The order of events within a conversation: a later one has a larger number. Gaps have no meaning."""
    data: MessageStatusEventData
    truncated: NotRequired[bool]
    """True where the body would be larger than 256 KiB: `data` has ids, states and what else is short, without the content."""


class MessageStatusEventData(TypedDict):
    message: Optional[Message]
    """The message as it was at that commit: its status is the highest that was ever reported. Null once it is no longer kept."""
    status: str
    """What was reported: the kind of the event, or `deleted`."""
    occurred_at: str
    error: Optional[MessageError]
    settled: NotRequired[Literal[False]]
    """Of the second `unknown` of a message: nothing has settled it."""


class PaymentEvent(TypedDict):
    """`payment_updated`: The state of a payment that a message asked for has changed."""

    id: str
    """Stays the same over all attempts and replays: use it to do nothing twice."""
    kind: Literal["payment_updated"]
    category: Literal["message_status"]
    workspace_id: str
    created_at: str
    sequence: int
    """The order of events within a conversation: a later one has a larger number. Gaps have no meaning."""
    data: PaymentEventData
    truncated: NotRequired[bool]
    """True where the body would be larger than 256 KiB: `data` has ids, states and what else is short, without the content."""


class PaymentEventData(TypedDict):
    message: Optional[Message]
    """The message; null once it is no longer kept."""
    payment: PaymentEventDataPayment


class PaymentEventDataPayment(TypedDict):
    reference: Optional[str]
    """What you call the payment; null once the person was erased."""
    status: Optional[str]
    """As the provider says it, in lower case: `captured`, `pending`, `failed`."""


class MediaEvent(TypedDict):
    """`media_available`: A file that a person sent is here: its content can be read. `media_failed`: A file could not be had from the provider, or was not clean; `data.media.error` says why."""

    id: str
    """Stays the same over all attempts and replays: use it to do nothing twice."""
    kind: Literal["media_available", "media_failed"]
    category: Literal["media"]
    workspace_id: str
    created_at: str
    sequence: int
    """The order of events within a conversation: a later one has a larger number. Gaps have no meaning."""
    data: MediaEventData
    truncated: NotRequired[bool]
    """True where the body would be larger than 256 KiB: `data` has ids, states and what else is short, without the content."""


class MediaEventData(TypedDict):
    media: Optional[Media]
    """As it was then; null once the person was erased."""
    message_id: Optional[str]
    """The message that it came in; null of an upload."""
    contact_id: Optional[str]
    """Who sent it; null of an upload."""


class TemplateStatusEvent(TypedDict):
    """`pending`: The provider reviews the template. `approved`: The template can be sent. `rejected`: The provider has rejected the template; `reason` says why. `paused`: The provider has paused the template for its quality. `disabled`: The provider has disabled the template. `in_appeal`: The rejection of the template is being appealed. `flagged`: The quality of the template is low; it may be paused. `limit_exceeded`: The account has more templates than the provider allows. `locked`: The template cannot be edited for now. `pending_deletion`: The template is being deleted. `deleted`: The template is gone. `archived`: The provider has archived the template, which was not used for long."""

    id: str
    """Stays the same over all attempts and replays: use it to do nothing twice."""
    kind: Literal["pending", "approved", "rejected", "paused", "disabled", "in_appeal", "flagged", "limit_exceeded", "locked", "pending_deletion", "deleted", "archived"]
    category: Literal["template_status"]
    workspace_id: str
    created_at: str
    sequence: int
    """The order of events within a conversation: a later one has a larger number. Gaps have no meaning."""
    data: TemplateStatusEventData
    truncated: NotRequired[bool]
    """True where the body would be larger than 256 KiB: `data` has ids, states and what else is short, without the content."""


class TemplateStatusEventData(TypedDict):
    template: Template
    previous_status: Optional[str]
    """Null for a template that is new here."""
    reason: Optional[str]
    """The provider's reason."""
    detail: Optional[Dict[str, Any]]
    """What else the provider says of a pause, a rejection or an end, as it gave it."""


class TemplateEvent(TypedDict):
    """`template_quality_changed`: The provider rates the quality of the template differently. `template_category_changed`: The category of the template changes, or has changed. `template_components_changed`: The content of the template has changed."""

    id: str
    """Stays the same over all attempts and replays: use it to do nothing twice."""
    kind: Literal["template_quality_changed", "template_category_changed", "template_components_changed"]
    category: Literal["template"]
    workspace_id: str
    created_at: str
    sequence: int
    """The order of events within a conversation: a later one has a larger number. Gaps have no meaning."""
    data: TemplateEventData
    truncated: NotRequired[bool]
    """True where the body would be larger than 256 KiB: `data` has ids, states and what else is short, without the content."""


class TemplateEventData(TypedDict):
    template: Template
    previous: Union[str, List[Dict[str, Any]]]
    current: Union[str, List[Dict[str, Any]]]
    effective_at: NotRequired[Optional[str]]
    """When a category changes; null: it has changed."""


class OperationalEvent(TypedDict):
    """`endpoint_failing`: An endpoint has only failed for a while; it will be disabled if that goes on. `endpoint_disabled`: An endpoint was disabled; what happens meanwhile is parked. `endpoint_test`: You have asked for a test of the endpoint. Sent to it alone, whatever it listens to."""

    id: str
    """Stays the same over all attempts and replays: use it to do nothing twice."""
    kind: Literal["endpoint_failing", "endpoint_disabled", "endpoint_test"]
    category: Literal["operational"]
    workspace_id: str
    created_at: str
    sequence: int
    """The order of events within a conversation: a later one has a larger number. Gaps have no meaning."""
    data: OperationalEventData
    truncated: NotRequired[bool]
    """True where the body would be larger than 256 KiB: `data` has ids, states and what else is short, without the content."""


class OperationalEventData(TypedDict):
    webhook_endpoint: Optional[WebhookEndpoint]
    """The endpoint as it was then."""
    reason: Optional[str]
    """Such as `failing_for_1_hour`, or the `disabled_reason` of the endpoint; null in a test."""


class AccountEvent(TypedDict):
    """`permissions_changed`: What your app may do with the account has changed at the provider. `signup_completed`: The account is connected. `signup_revoked`: The account is no longer connected; once for each connection. `account_changed`: The provider has restricted, banned, reviewed or warned of the account, or lifted it."""

    id: str
    """Stays the same over all attempts and replays: use it to do nothing twice."""
    kind: Literal["permissions_changed", "signup_completed", "signup_revoked", "account_changed"]
    category: Literal["account"]
    workspace_id: str
    created_at: str
    sequence: int
    """The order of events within a conversation: a later one has a larger number. Gaps have no meaning."""
    data: AccountEventData
    truncated: NotRequired[bool]
    """True where the body would be larger than 256 KiB: `data` has ids, states and what else is short, without the content."""


class AccountEventData(TypedDict):
    business_account: BusinessAccount
    provider_event: NotRequired[Optional[str]]
    """The provider's name of what happened; null where it did not report it."""
    reason: NotRequired[Optional[str]]
    """Why, in a sentence."""
    detail: NotRequired[Optional[Union[Dict[str, Any], str]]]
    """What the provider said; a sentence where the gateway noticed it by itself."""
    phone_number_id: NotRequired[str]
    """Present where it is about one of the account's phone numbers."""


class PhoneNumberEvent(TypedDict):
    """`phone_number_changed`: The quality, limit, throughput, name or status of a phone number has changed."""

    id: str
    """Stays the same over all attempts and replays: use it to do nothing twice."""
    kind: Literal["phone_number_changed"]
    category: Literal["account"]
    workspace_id: str
    created_at: str
    sequence: int
    """The order of events within a conversation: a later one has a larger number. Gaps have no meaning."""
    data: PhoneNumberEventData
    truncated: NotRequired[bool]
    """True where the body would be larger than 256 KiB: `data` has ids, states and what else is short, without the content."""


class PhoneNumberEventData(TypedDict):
    phone_number: PhoneNumber
    changed: List[str]
    """What has changed: `quality`, `limit`, `throughput`, `name`."""


class ConversationEvent(TypedDict):
    """`thread_taken`: You, or another responder, answer a conversation from now on. `thread_released`: A conversation has no owner any more; the provider routes the person's next message."""

    id: str
    """Stays the same over all attempts and replays: use it to do nothing twice."""
    kind: Literal["thread_taken", "thread_released"]
    category: Literal["conversation"]
    workspace_id: str
    created_at: str
    sequence: int
    """The order of events within a conversation: a later one has a larger number. Gaps have no meaning."""
    data: ConversationEventData
    truncated: NotRequired[bool]
    """True where the body would be larger than 256 KiB: `data` has ids, states and what else is short, without the content."""


class ConversationEventData(TypedDict):
    conversation: ConversationEventDataConversation
    previous_owner: Optional[ConversationEventDataPreviousOwner]
    """Null where it is not known."""
    owner: Optional[ConversationEventDataOwner]


class ConversationEventDataConversation(TypedDict):
    contact_id: Optional[str]
    """Null once the person was erased."""
    phone_number_id: Optional[str]
    contact: Optional[ConversationEventDataConversationContact]
    """Null once the person was erased."""


class ConversationEventDataConversationContact(TypedDict):
    """Null once the person was erased."""

    id: str
    name: Optional[str]
    """The name that you use, else the one that the person uses."""
    phone: Optional[str]
    """Null if the person has no visible number."""


class ConversationEventDataPreviousOwner(TypedDict):
    """Null where it is not known."""

    role: Literal["self", "other", "none"]
    """Who answers, where the provider has several responders for the number: you, another one, or neither. Free-form messages to a conversation of another one are refused without `take`."""
    since: Optional[str]
    """Null where nothing was said of it. Ownership ends a day after the person's last message."""


class ConversationEventDataOwner(TypedDict):
    role: Literal["self", "other", "none"]
    """Who answers, where the provider has several responders for the number: you, another one, or neither. Free-form messages to a conversation of another one are refused without `take`."""
    since: Optional[str]
    """Null where nothing was said of it. Ownership ends a day after the person's last message."""


class ContactEvent(TypedDict):
    """`contact_created`: A person has become a contact. `contact_updated`: What is known of a person has changed. `contact_merged`: Two contacts turned out to be one person; `merged_contact_id` is the one that is no more. `contact_deleted`: A person was erased; of the contact its id is left. `opted_out`: A person no longer takes marketing. `opted_in`: A person takes marketing."""

    id: str
    """Stays the same over all attempts and replays: use it to do nothing twice."""
    kind: Literal["contact_created", "contact_updated", "contact_merged", "contact_deleted", "opted_out", "opted_in"]
    category: Literal["contact"]
    workspace_id: str
    created_at: str
    sequence: int
    """The order of events within a conversation: a later one has a larger number. Gaps have no meaning."""
    data: ContactEventData
    truncated: NotRequired[bool]
    """True where the body would be larger than 256 KiB: `data` has ids, states and what else is short, without the content."""


class ContactEventData(TypedDict):
    contact: Optional[Union[ContactSnapshot, ContactEventDataContact2]]
    """As it is when the event is rendered, of consent as it was said then. Of one who was erased no more than the id; null where nothing is kept."""
    merged_contact_id: NotRequired[str]
    """Of `contact_merged`: the contact that was merged into this one."""
    source: Optional[str]
    """What led to it, such as `client` (a call of yours), `inbound_message`, `keyword`, `preference` or `import`."""
    provider_fields: NotRequired[Dict[str, Any]]
    """What the provider said of a setting in its app, as it gave it."""


class ContactEventDataContact2(TypedDict):
    id: str
    deleted: Literal[True]


class CallEvent(TypedDict):
    """`call`: Something happened to a call between a person and one of your phone numbers."""

    id: str
    """Stays the same over all attempts and replays: use it to do nothing twice."""
    kind: Literal["call"]
    category: Literal["inbound_message"]
    workspace_id: str
    created_at: str
    sequence: int
    """The order of events within a conversation: a later one has a larger number. Gaps have no meaning."""
    data: CallEventData
    truncated: NotRequired[bool]
    """True where the body would be larger than 256 KiB: `data` has ids, states and what else is short, without the content."""


class CallEventData(TypedDict):
    call: Optional[CallEventDataCall]
    """As the provider reported it; what it did not say is absent."""
    contact: Optional[ContactSnapshot]
    """The person; null once erased."""


class CallEventDataCall(TypedDict):
    """As the provider reported it; what it did not say is absent."""

    id: str
    """The provider's id of the call."""
    event: NotRequired[str]
    """`connect` or `terminate`, of the call itself."""
    direction: NotRequired[str]
    """`USER_INITIATED` or `BUSINESS_INITIATED`."""
    status: NotRequired[str]
    """What became of it, in the provider's words."""
    start_time: NotRequired[str]
    """Unix seconds, as the provider gave them."""
    end_time: NotRequired[str]
    """Unix seconds, as the provider gave them."""
    duration: NotRequired[float]
    """Seconds."""
    phone_number_id: str


KnownEvent = Union["InboundMessageEvent", "MessageStatusEvent", "PaymentEvent", "MediaEvent", "TemplateStatusEvent", "TemplateEvent", "OperationalEvent", "AccountEvent", "PhoneNumberEvent", "ConversationEvent", "ContactEvent", "CallEvent"]
"""The body of a delivery of any kind that this version knows."""


class MessagesSendBatchBody(TypedDict):
    messages: List[BatchedMessage]
    """Messages of the same person are sent in their order."""


class ContactsBatchBody(TypedDict):
    contacts: List[NewContact]
    """Each creates its contact, or changes the one that has the number; tags are added."""
