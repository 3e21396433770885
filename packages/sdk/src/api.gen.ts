// Made by `npm run generate` from the route table. Do not edit.

/** @description An error (RFC 9457). Act on `code`; `title` and `detail` are for humans and may change. */
export type Problem = {
    /** @description The address of the code's page, relative to the gateway's where that is not configured (`PUBLIC_URL`). */
    type: string;
    title: string;
    status: number;
    detail: string;
    /** @enum {string} */
    code: "invalid_json" | "invalid_request" | "unauthorized" | "forbidden" | "not_found" | "method_not_allowed" | "conflict" | "contact_exists" | "idempotency_in_progress" | "idempotency_key_expired" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "invalid_phone_number" | "reference_not_found" | "template_not_found" | "template_not_approved" | "template_parameters_mismatch" | "window_closed" | "thread_not_owned" | "recipient_opted_out" | "sender_unavailable" | "media_not_found" | "endpoint_unverified" | "provider_rejected" | "provider_unavailable" | "rate_limited" | "messaging_limit_reached" | "queue_full" | "internal" | "unavailable";
    /** @description Identifies the request in the gateway's log and audit log. */
    request_id: string;
    /** @description Whether the same request may succeed later without a change. */
    retryable: boolean;
    /** @description The resource that the error is about, if there is one. */
    resource_id?: string;
    /** @description Each place in the request that is not valid. */
    errors?: {
        /** @description JSON pointer into the body, or `?name` for the query; empty for the whole body. */
        pointer: string;
        /** @description A stable code for what is wrong there. */
        code: string;
        /** @description A human-readable explanation. */
        detail: string;
    }[];
    /** @description The provider's own error, if it reported one. */
    provider?: {
        code: number;
        subcode: number | null;
        title: string;
        details: string | null;
        /** @description Identifies the request to the provider's support. */
        trace_id: string | null;
    };
};
export type SendMessage = SendTemplateMessage | SendTextMessage | SendImageMessage | SendVideoMessage | SendAudioMessage | SendDocumentMessage | SendStickerMessage | SendLocationMessage | SendContactsMessage | SendInteractiveMessage | SendReactionMessage;
/** @description An approved template. Can be sent at any time. */
export type SendTemplateMessage = {
    /**
     * @description The recipient: a phone number in E.164 format with `+` (spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped), a contact id or a business-scoped user id.
     * @example +15551230001
     */
    to: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "template";
    template: MessageTemplate;
    /** @description The sender: the id of a connected phone number, or the number in E.164 format. By default the number of the quoted message, else of the latest conversation with the recipient, else the workspace's default number. */
    from?: string;
    /**
     * @description The id of the message to quote.
     * @example msg_01jd0000000000000000000000
     */
    reply_to?: string;
    /** @description Your own reference; returned with the message and its events. */
    reference?: string;
    /**
     * Format: date-time
     * @description The earliest time to send the message, up to 30 days ahead; one up to a minute ago is now.
     * @example 2026-01-31T09:30:00Z
     */
    send_at?: string;
    /**
     * Format: date-time
     * @description When the message becomes `expired` if it was not dispatched before.
     * @example 2026-01-31T09:30:00Z
     */
    expires_at?: string;
    /** @description Send although another responder owns the conversation, which takes it over. Without it a free-form message is refused with `thread_not_owned`; templates go anyway. */
    take?: boolean;
    /**
     * @description What to do if the provider's response was lost.
     * @enum {string}
     */
    on_unknown?: "hold" | "resend_once";
};
/** @description An approved template of the sender. */
export type MessageTemplate = {
    name: string;
    language: {
        /** @example en_US */
        code: string;
        /** @constant */
        policy?: "deterministic";
    };
    /** @description The parameters in the provider's format; checked against the template's definition. */
    components?: TemplateComponent[];
};
/** @description The parameters of one component; `type` says of which, in any case. */
export type TemplateComponent = TemplateHeader | TemplateBody | TemplateFooter | TemplateButton | TemplateOffer | TemplateCarousel | ({
    type: string;
} & {
    [key: string]: unknown;
});
/** @description The text, media, location or product of the header. */
export type TemplateHeader = {
    /** @constant */
    type: "header";
    parameters?: TemplateHeaderParameter[];
};
export type TemplateHeaderParameter = TextParameter | ImageParameter | VideoParameter | GifParameter | DocumentParameter | LocationParameter | ProductParameter | ({
    type: string;
} & {
    [key: string]: unknown;
});
export type TextParameter = {
    /** @constant */
    type: "text";
    text?: string;
    /** @description Of a template with named parameters. */
    parameter_name?: string;
};
export type ImageParameter = {
    /** @constant */
    type: "image";
    image?: {
        /** @description The id of media that is available: `med_…`. */
        id?: string;
        /**
         * @description The URL of the file, which the provider downloads. It keeps the file of a URL for 10 minutes.
         * @example https://cdn.example/a.jpg
         */
        link?: string;
    };
};
export type VideoParameter = {
    /** @constant */
    type: "video";
    video?: {
        /** @description The id of media that is available: `med_…`. */
        id?: string;
        /**
         * @description The URL of the file, which the provider downloads. It keeps the file of a URL for 10 minutes.
         * @example https://cdn.example/a.jpg
         */
        link?: string;
    };
};
export type GifParameter = {
    /** @constant */
    type: "gif";
    gif?: {
        /** @description The id of media that is available: `med_…`. */
        id?: string;
        /**
         * @description The URL of the file, which the provider downloads. It keeps the file of a URL for 10 minutes.
         * @example https://cdn.example/a.jpg
         */
        link?: string;
    };
};
export type DocumentParameter = {
    /** @constant */
    type: "document";
    document?: {
        /** @description The id of media that is available: `med_…`. */
        id?: string;
        /**
         * @description The URL of the file, which the provider downloads. It keeps the file of a URL for 10 minutes.
         * @example https://cdn.example/a.jpg
         */
        link?: string;
        /** @description The name that the person sees; its extension decides about the icon. */
        filename?: string;
    };
};
export type LocationParameter = {
    /** @constant */
    type: "location";
    /** @description A place, in degrees of WGS 84. */
    location?: {
        /**
         * @description Degrees from -90 to 90, as a number or as a text of its digits.
         * @example 37.48
         */
        latitude: number | string;
        /**
         * @description Degrees from -180 to 180, as a number or as a text of its digits.
         * @example -122.15
         */
        longitude: number | string;
        name?: string;
        address?: string;
    };
};
export type ProductParameter = {
    /** @constant */
    type: "product";
    product?: {
        /** @description Your id of the product in the catalog. */
        product_retailer_id?: string;
        catalog_id?: string;
    };
};
/** @description The texts of the body: in their order, or each with its `parameter_name`. */
export type TemplateBody = {
    /** @constant */
    type: "body";
    parameters?: TemplateBodyParameter[];
};
export type TemplateBodyParameter = TextParameter | CurrencyParameter | DateTimeParameter | ({
    type: string;
} & {
    [key: string]: unknown;
});
export type CurrencyParameter = {
    /** @constant */
    type: "currency";
    currency?: {
        fallback_value?: string;
        /**
         * @description ISO 4217, in any case.
         * @example USD
         */
        code: string;
        /** @description The amount times 1000. */
        amount_1000: number;
    };
    /** @description Of a template with named parameters. */
    parameter_name?: string;
};
export type DateTimeParameter = {
    /** @constant */
    type: "date_time";
    date_time?: {
        fallback_value?: string;
    } & {
        [key: string]: unknown;
    };
    /** @description Of a template with named parameters. */
    parameter_name?: string;
};
/** @description A footer has no parameters and may be left out. */
export type TemplateFooter = {
    /** @constant */
    type: "footer";
    parameters?: {
        [key: string]: unknown;
    }[];
};
/** @description The parameter of a button; `sub_type` says of which kind, in any case. */
export type TemplateButton = TemplateQuickReplyButton | TemplateUrlButton | TemplateCopyCodeButton | TemplateFlowButton | TemplateCatalogButton | TemplateMpmButton | TemplateVoiceCallButton | ({
    /** @constant */
    type: "button";
    /**
     * @description The place of the button in the template, from 0.
     * @example 0
     */
    index: string | number;
    sub_type: string;
} & {
    [key: string]: unknown;
});
export type TemplateQuickReplyButton = {
    /** @constant */
    type: "button";
    /**
     * @description The place of the button in the template, from 0.
     * @example 0
     */
    index: string | number;
    /** @constant */
    sub_type: "quick_reply";
    parameters?: TemplateButtonParameter[];
};
export type TemplateButtonParameter = TextParameter | PayloadParameter | CouponParameter | TtlParameter | ActionParameter | ({
    type: string;
} & {
    [key: string]: unknown;
});
export type PayloadParameter = {
    /** @constant */
    type: "payload";
    payload?: string;
};
export type CouponParameter = {
    /** @constant */
    type: "coupon_code";
    coupon_code?: string;
};
export type TtlParameter = {
    /** @constant */
    type: "ttl_minutes";
    /** @description How long the button works; the provider's default is 7 days. */
    ttl_minutes?: number;
};
export type ActionParameter = {
    /** @constant */
    type: "action";
    action?: {
        /** @description Your own value; it comes back with the answer. */
        flow_token?: string;
        flow_action_data?: {
            [key: string]: unknown;
        };
        /** @description Your id of the product in the catalog. */
        thumbnail_product_retailer_id?: string;
        sections?: {
            /** @description Required if there are several sections. */
            title?: string;
            product_items: {
                /** @description Your id of the product in the catalog. */
                product_retailer_id: string;
            }[];
        }[];
    };
};
export type TemplateUrlButton = {
    /** @constant */
    type: "button";
    /**
     * @description The place of the button in the template, from 0.
     * @example 0
     */
    index: string | number;
    /** @constant */
    sub_type: "url";
    parameters?: TemplateButtonParameter[];
};
export type TemplateCopyCodeButton = {
    /** @constant */
    type: "button";
    /**
     * @description The place of the button in the template, from 0.
     * @example 0
     */
    index: string | number;
    /** @constant */
    sub_type: "copy_code";
    parameters?: TemplateButtonParameter[];
};
export type TemplateFlowButton = {
    /** @constant */
    type: "button";
    /**
     * @description The place of the button in the template, from 0.
     * @example 0
     */
    index: string | number;
    /** @constant */
    sub_type: "flow";
    parameters?: TemplateButtonParameter[];
};
export type TemplateCatalogButton = {
    /** @constant */
    type: "button";
    /**
     * @description The place of the button in the template, from 0.
     * @example 0
     */
    index: string | number;
    /** @constant */
    sub_type: "catalog";
    parameters?: TemplateButtonParameter[];
};
export type TemplateMpmButton = {
    /** @constant */
    type: "button";
    /**
     * @description The place of the button in the template, from 0.
     * @example 0
     */
    index: string | number;
    /** @constant */
    sub_type: "mpm";
    parameters?: TemplateButtonParameter[];
};
export type TemplateVoiceCallButton = {
    /** @constant */
    type: "button";
    /**
     * @description The place of the button in the template, from 0.
     * @example 0
     */
    index: string | number;
    /** @constant */
    sub_type: "voice_call";
    parameters?: TemplateButtonParameter[];
};
/** @description When a limited-time offer ends: after the message is sent, and within ten years. */
export type TemplateOffer = {
    /** @constant */
    type: "limited_time_offer";
    limited_time_offer?: {
        /** @description When the offer ends, in milliseconds since 1970. */
        expiration_time_ms: number;
    };
    parameters?: {
        /** @constant */
        type: "limited_time_offer";
        limited_time_offer: {
            /** @description When the offer ends, in milliseconds since 1970. */
            expiration_time_ms: number;
        };
    }[];
};
/** @description The parameters of each card. */
export type TemplateCarousel = {
    /** @constant */
    type: "carousel";
    cards: {
        /** @description The place of the card, from 0. */
        card_index: number;
        components: TemplateCardComponent[];
    }[];
};
export type TemplateCardComponent = TemplateHeader | TemplateBody | TemplateButton | ({
    type: string;
} & {
    [key: string]: unknown;
});
/** @description Free text. Can be sent within 24 hours of the person's last message, or with a `fallback`. */
export type SendTextMessage = {
    /**
     * @description The recipient: a phone number in E.164 format with `+` (spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped), a contact id or a business-scoped user id.
     * @example +15551230001
     */
    to: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "text";
    /** @description Free text. */
    text: {
        body: string;
        /** @description Whether to show a preview of the first link. */
        preview_url?: boolean;
    };
    /** @description The sender: the id of a connected phone number, or the number in E.164 format. By default the number of the quoted message, else of the latest conversation with the recipient, else the workspace's default number. */
    from?: string;
    /**
     * @description The id of the message to quote.
     * @example msg_01jd0000000000000000000000
     */
    reply_to?: string;
    /** @description Your own reference; returned with the message and its events. */
    reference?: string;
    /**
     * Format: date-time
     * @description The earliest time to send the message, up to 30 days ahead; one up to a minute ago is now.
     * @example 2026-01-31T09:30:00Z
     */
    send_at?: string;
    /**
     * Format: date-time
     * @description When the message becomes `expired` if it was not dispatched before.
     * @example 2026-01-31T09:30:00Z
     */
    expires_at?: string;
    /** @description Send although another responder owns the conversation, which takes it over. Without it a free-form message is refused with `thread_not_owned`; templates go anyway. */
    take?: boolean;
    /**
     * @description What to do if the provider's response was lost.
     * @enum {string}
     */
    on_unknown?: "hold" | "resend_once";
    fallback?: MessageFallback;
};
/** @description What is sent instead when the 24-hour window is closed at the time of dispatch. The template is checked as one that is sent by itself. */
export type MessageFallback = {
    template: MessageTemplate;
};
/** @description An image. Can be sent within 24 hours of the person's last message, or with a `fallback`. */
export type SendImageMessage = {
    /**
     * @description The recipient: a phone number in E.164 format with `+` (spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped), a contact id or a business-scoped user id.
     * @example +15551230001
     */
    to: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "image";
    /** @description An image, JPEG or PNG of up to 5 MB, with a caption. */
    image: {
        /** @description The id of media that is available: `med_…`. */
        id?: string;
        /**
         * @description The URL of the file, which the provider downloads. It keeps the file of a URL for 10 minutes.
         * @example https://cdn.example/a.jpg
         */
        link?: string;
        caption?: string;
    };
    /** @description The sender: the id of a connected phone number, or the number in E.164 format. By default the number of the quoted message, else of the latest conversation with the recipient, else the workspace's default number. */
    from?: string;
    /**
     * @description The id of the message to quote.
     * @example msg_01jd0000000000000000000000
     */
    reply_to?: string;
    /** @description Your own reference; returned with the message and its events. */
    reference?: string;
    /**
     * Format: date-time
     * @description The earliest time to send the message, up to 30 days ahead; one up to a minute ago is now.
     * @example 2026-01-31T09:30:00Z
     */
    send_at?: string;
    /**
     * Format: date-time
     * @description When the message becomes `expired` if it was not dispatched before.
     * @example 2026-01-31T09:30:00Z
     */
    expires_at?: string;
    /** @description Send although another responder owns the conversation, which takes it over. Without it a free-form message is refused with `thread_not_owned`; templates go anyway. */
    take?: boolean;
    /**
     * @description What to do if the provider's response was lost.
     * @enum {string}
     */
    on_unknown?: "hold" | "resend_once";
    fallback?: MessageFallback;
};
/** @description A video. Can be sent within 24 hours of the person's last message, or with a `fallback`. */
export type SendVideoMessage = {
    /**
     * @description The recipient: a phone number in E.164 format with `+` (spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped), a contact id or a business-scoped user id.
     * @example +15551230001
     */
    to: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "video";
    /** @description A video, MP4 or 3GPP of up to 16 MB, with a caption. */
    video: {
        /** @description The id of media that is available: `med_…`. */
        id?: string;
        /**
         * @description The URL of the file, which the provider downloads. It keeps the file of a URL for 10 minutes.
         * @example https://cdn.example/a.jpg
         */
        link?: string;
        caption?: string;
    };
    /** @description The sender: the id of a connected phone number, or the number in E.164 format. By default the number of the quoted message, else of the latest conversation with the recipient, else the workspace's default number. */
    from?: string;
    /**
     * @description The id of the message to quote.
     * @example msg_01jd0000000000000000000000
     */
    reply_to?: string;
    /** @description Your own reference; returned with the message and its events. */
    reference?: string;
    /**
     * Format: date-time
     * @description The earliest time to send the message, up to 30 days ahead; one up to a minute ago is now.
     * @example 2026-01-31T09:30:00Z
     */
    send_at?: string;
    /**
     * Format: date-time
     * @description When the message becomes `expired` if it was not dispatched before.
     * @example 2026-01-31T09:30:00Z
     */
    expires_at?: string;
    /** @description Send although another responder owns the conversation, which takes it over. Without it a free-form message is refused with `thread_not_owned`; templates go anyway. */
    take?: boolean;
    /**
     * @description What to do if the provider's response was lost.
     * @enum {string}
     */
    on_unknown?: "hold" | "resend_once";
    fallback?: MessageFallback;
};
/** @description Audio, or a voice message. Can be sent within 24 hours of the person's last message, or with a `fallback`. */
export type SendAudioMessage = {
    /**
     * @description The recipient: a phone number in E.164 format with `+` (spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped), a contact id or a business-scoped user id.
     * @example +15551230001
     */
    to: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "audio";
    /** @description Audio of up to 16 MB. It has no caption. */
    audio: {
        /** @description The id of media that is available: `med_…`. */
        id?: string;
        /**
         * @description The URL of the file, which the provider downloads. It keeps the file of a URL for 10 minutes.
         * @example https://cdn.example/a.jpg
         */
        link?: string;
        /** @description Whether to show it as a voice message, which has to be OGG with the Opus codec. */
        voice?: boolean;
    };
    /** @description The sender: the id of a connected phone number, or the number in E.164 format. By default the number of the quoted message, else of the latest conversation with the recipient, else the workspace's default number. */
    from?: string;
    /**
     * @description The id of the message to quote.
     * @example msg_01jd0000000000000000000000
     */
    reply_to?: string;
    /** @description Your own reference; returned with the message and its events. */
    reference?: string;
    /**
     * Format: date-time
     * @description The earliest time to send the message, up to 30 days ahead; one up to a minute ago is now.
     * @example 2026-01-31T09:30:00Z
     */
    send_at?: string;
    /**
     * Format: date-time
     * @description When the message becomes `expired` if it was not dispatched before.
     * @example 2026-01-31T09:30:00Z
     */
    expires_at?: string;
    /** @description Send although another responder owns the conversation, which takes it over. Without it a free-form message is refused with `thread_not_owned`; templates go anyway. */
    take?: boolean;
    /**
     * @description What to do if the provider's response was lost.
     * @enum {string}
     */
    on_unknown?: "hold" | "resend_once";
    fallback?: MessageFallback;
};
/** @description A document. Can be sent within 24 hours of the person's last message, or with a `fallback`. */
export type SendDocumentMessage = {
    /**
     * @description The recipient: a phone number in E.164 format with `+` (spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped), a contact id or a business-scoped user id.
     * @example +15551230001
     */
    to: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "document";
    /** @description A file of any type of up to 100 MB, with a caption. */
    document: {
        /** @description The id of media that is available: `med_…`. */
        id?: string;
        /**
         * @description The URL of the file, which the provider downloads. It keeps the file of a URL for 10 minutes.
         * @example https://cdn.example/a.jpg
         */
        link?: string;
        caption?: string;
        /** @description The name that the person sees; its extension decides about the icon. */
        filename?: string;
    };
    /** @description The sender: the id of a connected phone number, or the number in E.164 format. By default the number of the quoted message, else of the latest conversation with the recipient, else the workspace's default number. */
    from?: string;
    /**
     * @description The id of the message to quote.
     * @example msg_01jd0000000000000000000000
     */
    reply_to?: string;
    /** @description Your own reference; returned with the message and its events. */
    reference?: string;
    /**
     * Format: date-time
     * @description The earliest time to send the message, up to 30 days ahead; one up to a minute ago is now.
     * @example 2026-01-31T09:30:00Z
     */
    send_at?: string;
    /**
     * Format: date-time
     * @description When the message becomes `expired` if it was not dispatched before.
     * @example 2026-01-31T09:30:00Z
     */
    expires_at?: string;
    /** @description Send although another responder owns the conversation, which takes it over. Without it a free-form message is refused with `thread_not_owned`; templates go anyway. */
    take?: boolean;
    /**
     * @description What to do if the provider's response was lost.
     * @enum {string}
     */
    on_unknown?: "hold" | "resend_once";
    fallback?: MessageFallback;
};
/** @description A sticker. Can be sent within 24 hours of the person's last message, or with a `fallback`. */
export type SendStickerMessage = {
    /**
     * @description The recipient: a phone number in E.164 format with `+` (spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped), a contact id or a business-scoped user id.
     * @example +15551230001
     */
    to: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "sticker";
    /** @description A sticker: WebP of up to 100 KB, animated of up to 500 KB. */
    sticker: {
        /** @description The id of media that is available: `med_…`. */
        id?: string;
        /**
         * @description The URL of the file, which the provider downloads. It keeps the file of a URL for 10 minutes.
         * @example https://cdn.example/a.jpg
         */
        link?: string;
    };
    /** @description The sender: the id of a connected phone number, or the number in E.164 format. By default the number of the quoted message, else of the latest conversation with the recipient, else the workspace's default number. */
    from?: string;
    /**
     * @description The id of the message to quote.
     * @example msg_01jd0000000000000000000000
     */
    reply_to?: string;
    /** @description Your own reference; returned with the message and its events. */
    reference?: string;
    /**
     * Format: date-time
     * @description The earliest time to send the message, up to 30 days ahead; one up to a minute ago is now.
     * @example 2026-01-31T09:30:00Z
     */
    send_at?: string;
    /**
     * Format: date-time
     * @description When the message becomes `expired` if it was not dispatched before.
     * @example 2026-01-31T09:30:00Z
     */
    expires_at?: string;
    /** @description Send although another responder owns the conversation, which takes it over. Without it a free-form message is refused with `thread_not_owned`; templates go anyway. */
    take?: boolean;
    /**
     * @description What to do if the provider's response was lost.
     * @enum {string}
     */
    on_unknown?: "hold" | "resend_once";
    fallback?: MessageFallback;
};
/** @description A location. Can be sent within 24 hours of the person's last message, or with a `fallback`. */
export type SendLocationMessage = {
    /**
     * @description The recipient: a phone number in E.164 format with `+` (spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped), a contact id or a business-scoped user id.
     * @example +15551230001
     */
    to: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "location";
    /** @description A place, in degrees of WGS 84. */
    location: {
        /**
         * @description Degrees from -90 to 90, as a number or as a text of its digits.
         * @example 37.48
         */
        latitude: number | string;
        /**
         * @description Degrees from -180 to 180, as a number or as a text of its digits.
         * @example -122.15
         */
        longitude: number | string;
        name?: string;
        address?: string;
    };
    /** @description The sender: the id of a connected phone number, or the number in E.164 format. By default the number of the quoted message, else of the latest conversation with the recipient, else the workspace's default number. */
    from?: string;
    /**
     * @description The id of the message to quote.
     * @example msg_01jd0000000000000000000000
     */
    reply_to?: string;
    /** @description Your own reference; returned with the message and its events. */
    reference?: string;
    /**
     * Format: date-time
     * @description The earliest time to send the message, up to 30 days ahead; one up to a minute ago is now.
     * @example 2026-01-31T09:30:00Z
     */
    send_at?: string;
    /**
     * Format: date-time
     * @description When the message becomes `expired` if it was not dispatched before.
     * @example 2026-01-31T09:30:00Z
     */
    expires_at?: string;
    /** @description Send although another responder owns the conversation, which takes it over. Without it a free-form message is refused with `thread_not_owned`; templates go anyway. */
    take?: boolean;
    /**
     * @description What to do if the provider's response was lost.
     * @enum {string}
     */
    on_unknown?: "hold" | "resend_once";
    fallback?: MessageFallback;
};
/** @description Contact cards. Can be sent within 24 hours of the person's last message, or with a `fallback`. */
export type SendContactsMessage = {
    /**
     * @description The recipient: a phone number in E.164 format with `+` (spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped), a contact id or a business-scoped user id.
     * @example +15551230001
     */
    to: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "contacts";
    /** @description Contact cards. */
    contacts: ContactCard[];
    /** @description The sender: the id of a connected phone number, or the number in E.164 format. By default the number of the quoted message, else of the latest conversation with the recipient, else the workspace's default number. */
    from?: string;
    /**
     * @description The id of the message to quote.
     * @example msg_01jd0000000000000000000000
     */
    reply_to?: string;
    /** @description Your own reference; returned with the message and its events. */
    reference?: string;
    /**
     * Format: date-time
     * @description The earliest time to send the message, up to 30 days ahead; one up to a minute ago is now.
     * @example 2026-01-31T09:30:00Z
     */
    send_at?: string;
    /**
     * Format: date-time
     * @description When the message becomes `expired` if it was not dispatched before.
     * @example 2026-01-31T09:30:00Z
     */
    expires_at?: string;
    /** @description Send although another responder owns the conversation, which takes it over. Without it a free-form message is refused with `thread_not_owned`; templates go anyway. */
    take?: boolean;
    /**
     * @description What to do if the provider's response was lost.
     * @enum {string}
     */
    on_unknown?: "hold" | "resend_once";
    fallback?: MessageFallback;
};
export type ContactCard = {
    /** @description `formatted_name` and at least one more part. */
    name: {
        /** @description The name as it is shown. */
        formatted_name: string;
        first_name?: string;
        last_name?: string;
        middle_name?: string;
        suffix?: string;
        prefix?: string;
    };
    phones?: {
        phone?: string;
        /**
         * @description What it is used for.
         * @example CELL
         */
        type?: string;
        /** @description The number as the provider calls it; with it the person can be written to. */
        wa_id?: string;
    }[];
    emails?: {
        email?: string;
        /**
         * @description What it is used for.
         * @example WORK
         */
        type?: string;
    }[];
    addresses?: {
        street?: string;
        city?: string;
        state?: string;
        zip?: string;
        country?: string;
        country_code?: string;
        /**
         * @description What it is used for.
         * @example HOME
         */
        type?: string;
    }[];
    org?: {
        company?: string;
        department?: string;
        title?: string;
    };
    urls?: {
        url?: string;
        /**
         * @description What it is used for.
         * @example WORK
         */
        type?: string;
    }[];
    /**
     * @description YYYY-MM-DD
     * @example 1990-04-17
     */
    birthday?: string;
};
/** @description An interactive message. Can be sent within 24 hours of the person's last message, or with a `fallback`. */
export type SendInteractiveMessage = {
    /**
     * @description The recipient: a phone number in E.164 format with `+` (spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped), a contact id or a business-scoped user id.
     * @example +15551230001
     */
    to: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "interactive";
    interactive: Interactive;
    /** @description The sender: the id of a connected phone number, or the number in E.164 format. By default the number of the quoted message, else of the latest conversation with the recipient, else the workspace's default number. */
    from?: string;
    /**
     * @description The id of the message to quote.
     * @example msg_01jd0000000000000000000000
     */
    reply_to?: string;
    /** @description Your own reference; returned with the message and its events. */
    reference?: string;
    /**
     * Format: date-time
     * @description The earliest time to send the message, up to 30 days ahead; one up to a minute ago is now.
     * @example 2026-01-31T09:30:00Z
     */
    send_at?: string;
    /**
     * Format: date-time
     * @description When the message becomes `expired` if it was not dispatched before.
     * @example 2026-01-31T09:30:00Z
     */
    expires_at?: string;
    /** @description Send although another responder owns the conversation, which takes it over. Without it a free-form message is refused with `thread_not_owned`; templates go anyway. */
    take?: boolean;
    /**
     * @description What to do if the provider's response was lost.
     * @enum {string}
     */
    on_unknown?: "hold" | "resend_once";
    fallback?: MessageFallback;
};
/** @description Buttons, lists and other parts that the person acts on; `type` says which. */
export type Interactive = InteractiveButton | InteractiveList | InteractiveCtaUrl | InteractiveFlow | InteractiveProduct | InteractiveProductList | InteractiveCatalogMessage | InteractiveLocationRequestMessage | InteractiveAddressMessage | InteractiveVoiceCall | InteractiveCallPermissionRequest | InteractiveCarousel | InteractiveRequestContactInfo | ({
    type: string;
} & {
    [key: string]: unknown;
});
/** @description Up to three buttons; the person's choice comes back as a message. */
export type InteractiveButton = {
    /** @constant */
    type: "button";
    header?: InteractiveHeader;
    body: {
        text: string;
    };
    footer?: {
        text: string;
    };
    action: {
        buttons: {
            /** @constant */
            type: "reply";
            reply: {
                id: string;
                title: string;
            };
        }[];
    };
};
/** @description A text, an image, a video or a document above the body. */
export type InteractiveHeader = TextHeader | ImageHeader | VideoHeader | DocumentHeader | ({
    type: string;
} & {
    [key: string]: unknown;
});
export type TextHeader = {
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "text";
    text: string;
};
export type ImageHeader = {
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "image";
    image: {
        /** @description The id of media that is available: `med_…`. */
        id?: string;
        /**
         * @description The URL of the file, which the provider downloads. It keeps the file of a URL for 10 minutes.
         * @example https://cdn.example/a.jpg
         */
        link?: string;
    };
};
export type VideoHeader = {
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "video";
    video: {
        /** @description The id of media that is available: `med_…`. */
        id?: string;
        /**
         * @description The URL of the file, which the provider downloads. It keeps the file of a URL for 10 minutes.
         * @example https://cdn.example/a.jpg
         */
        link?: string;
    };
};
export type DocumentHeader = {
    /** @constant */
    type: "document";
    document: {
        /** @description The id of media that is available: `med_…`. */
        id?: string;
        /**
         * @description The URL of the file, which the provider downloads. It keeps the file of a URL for 10 minutes.
         * @example https://cdn.example/a.jpg
         */
        link?: string;
        /** @description The name that the person sees; its extension decides about the icon. */
        filename?: string;
    };
};
/** @description A list of up to ten rows, opened by a button. */
export type InteractiveList = {
    /** @constant */
    type: "list";
    header?: ListHeader;
    body: {
        text: string;
    };
    footer?: {
        text: string;
    };
    action: {
        button: string;
        sections: {
            /** @description Required if there are several sections. */
            title?: string;
            rows: {
                id: string;
                title: string;
                description?: string;
            }[];
        }[];
    };
};
export type ListHeader = TextHeader;
/** @description A button that opens a page. */
export type InteractiveCtaUrl = {
    /** @constant */
    type: "cta_url";
    header?: InteractiveHeader;
    body: {
        text: string;
    };
    footer?: {
        text: string;
    };
    action: {
        /** @constant */
        name: "cta_url";
        parameters: {
            display_text: string;
            /**
             * @description The page that the button opens.
             * @example https://cdn.example/a.jpg
             */
            url: string;
        };
    };
};
/** @description A button that opens a flow. */
export type InteractiveFlow = {
    /** @constant */
    type: "flow";
    header?: InteractiveHeader;
    body: {
        text: string;
    };
    footer?: {
        text: string;
    };
    action: {
        /** @constant */
        name: "flow";
        parameters: {
            /** @constant */
            flow_message_version: "3";
            /** @description Either this or `flow_name`. */
            flow_id?: string;
            flow_name?: string;
            /** @description The text of the button. */
            flow_cta: string;
            /** @enum {string} */
            mode?: "draft" | "published";
            /** @description Your own value; it comes back with the answer. */
            flow_token?: string;
            /** @enum {string} */
            flow_action?: "navigate" | "data_exchange";
            flow_action_payload?: {
                screen: string;
                data?: {
                    [key: string]: unknown;
                };
            };
        };
    };
};
/** @description One product of a catalog. */
export type InteractiveProduct = {
    /** @constant */
    type: "product";
    body?: {
        text: string;
    };
    footer?: {
        text: string;
    };
    action: {
        /** @description The id of the catalog that is connected to the account. */
        catalog_id: string;
        /** @description Your id of the product in the catalog. */
        product_retailer_id: string;
    };
};
/** @description Up to thirty products of a catalog. */
export type InteractiveProductList = {
    /** @constant */
    type: "product_list";
    header: ListHeader;
    body: {
        text: string;
    };
    footer?: {
        text: string;
    };
    action: {
        /** @description The id of the catalog that is connected to the account. */
        catalog_id: string;
        sections: {
            /** @description Required if there are several sections. */
            title?: string;
            product_items: {
                /** @description Your id of the product in the catalog. */
                product_retailer_id: string;
            }[];
        }[];
    };
};
/** @description A button that opens the catalog. */
export type InteractiveCatalogMessage = {
    /** @constant */
    type: "catalog_message";
    header?: InteractiveHeader;
    body: {
        text: string;
    };
    footer?: {
        text: string;
    };
    action: {
        /** @constant */
        name: "catalog_message";
        parameters?: {
            /** @description Your id of the product in the catalog. */
            thumbnail_product_retailer_id?: string;
        };
    };
};
/** @description A button with which the person sends a location. */
export type InteractiveLocationRequestMessage = {
    /** @constant */
    type: "location_request_message";
    header?: InteractiveHeader;
    body: {
        text: string;
    };
    footer?: {
        text: string;
    };
    action: {
        /** @constant */
        name: "send_location";
    };
};
/** @description A form for an address, in countries where the provider has one. */
export type InteractiveAddressMessage = {
    /** @constant */
    type: "address_message";
    header?: InteractiveHeader;
    body: {
        text: string;
    };
    footer?: {
        text: string;
    };
    action: {
        /** @constant */
        name: "address_message";
        parameters: {
            /**
             * @description Two letters, in any case.
             * @example IN
             */
            country: string;
            /** @description What the form has filled in, by field. */
            values?: {
                [key: string]: unknown;
            };
            saved_addresses?: {
                [key: string]: unknown;
            }[];
            /** @description What is wrong with an earlier answer, by field. */
            validation_errors?: {
                [key: string]: unknown;
            };
        };
    };
};
/** @description A button that calls the business. The number needs calling enabled. */
export type InteractiveVoiceCall = {
    /** @constant */
    type: "voice_call";
    header?: InteractiveHeader;
    body: {
        text: string;
    };
    footer?: {
        text: string;
    };
    action: {
        /** @constant */
        name: "voice_call";
        parameters?: {
            display_text?: string;
            /** @description How long the button works; the provider's default is 7 days. */
            ttl_minutes?: number;
            /** @description Your own value; it comes back with the call. */
            payload?: string;
        };
    };
};
/** @description Asks the person for permission to call. */
export type InteractiveCallPermissionRequest = {
    /** @constant */
    type: "call_permission_request";
    header?: InteractiveHeader;
    body: {
        text: string;
    };
    footer?: {
        text: string;
    };
    action: {
        /** @constant */
        name: "call_permission_request";
    };
};
/** @description Two to ten cards side by side in the order of their `card_index`, each with an image or each with a video, and with the same kind and number of buttons: one that opens a page, or quick replies. */
export type InteractiveCarousel = {
    /** @constant */
    type: "carousel";
    body: {
        text: string;
    };
    action: {
        cards: InteractiveCard[];
    };
};
export type InteractiveCard = UrlCard | ({
    /** @description The place of the card, from 0. */
    card_index: number;
    header: CardHeader;
    body?: {
        text: string;
    };
    action: {
        buttons?: CardButton[];
    } & {
        [key: string]: unknown;
    };
    type?: string;
} & {
    [key: string]: unknown;
});
export type CardHeader = ImageHeader | VideoHeader;
export type CardButton = QuickReply | ({
    type: string;
} & {
    [key: string]: unknown;
});
export type QuickReply = {
    /** @constant */
    type: "quick_reply";
    quick_reply: {
        id: string;
        title: string;
    };
};
/** @description A card whose button opens a page, or with quick replies. */
export type UrlCard = {
    /** @description The place of the card, from 0. */
    card_index: number;
    header: CardHeader;
    body?: {
        text: string;
    };
    action: {
        /** @constant */
        name?: "cta_url";
        parameters?: {
            display_text: string;
            /**
             * @description The page that the button opens.
             * @example https://cdn.example/a.jpg
             */
            url: string;
        };
        buttons?: CardButton[];
    };
    /** @constant */
    type: "cta_url";
};
/** @description Asks a person whose number is hidden for the number. */
export type InteractiveRequestContactInfo = {
    /** @constant */
    type: "request_contact_info";
    header?: InteractiveHeader;
    body: {
        text: string;
    };
    footer?: {
        text: string;
    };
    action: {
        /** @constant */
        name: "request_contact_info";
    };
};
/** @description A reaction to a message. Can be sent within 24 hours of the person's last message, or with a `fallback`. */
export type SendReactionMessage = {
    /**
     * @description The recipient: a phone number in E.164 format with `+` (spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped), a contact id or a business-scoped user id.
     * @example +15551230001
     */
    to: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "reaction";
    /** @description A reaction to a message of the last 30 days. */
    reaction: {
        /**
         * @description The id of the message to react to, in either direction.
         * @example msg_01jd0000000000000000000000
         */
        message_id: string;
        /**
         * @description One emoji. An empty text removes the reaction.
         * @example 👍
         */
        emoji: string;
    };
    /** @description The sender: the id of a connected phone number, or the number in E.164 format. By default the number of the quoted message, else of the latest conversation with the recipient, else the workspace's default number. */
    from?: string;
    /** @description Your own reference; returned with the message and its events. */
    reference?: string;
    /**
     * Format: date-time
     * @description The earliest time to send the message, up to 30 days ahead; one up to a minute ago is now.
     * @example 2026-01-31T09:30:00Z
     */
    send_at?: string;
    /**
     * Format: date-time
     * @description When the message becomes `expired` if it was not dispatched before.
     * @example 2026-01-31T09:30:00Z
     */
    expires_at?: string;
    /** @description Send although another responder owns the conversation, which takes it over. Without it a free-form message is refused with `thread_not_owned`; templates go anyway. */
    take?: boolean;
    /**
     * @description What to do if the provider's response was lost.
     * @enum {string}
     */
    on_unknown?: "hold" | "resend_once";
    fallback?: MessageFallback;
};
export type BatchedMessage = BatchedTemplateMessage | BatchedTextMessage | BatchedImageMessage | BatchedVideoMessage | BatchedAudioMessage | BatchedDocumentMessage | BatchedStickerMessage | BatchedLocationMessage | BatchedContactsMessage | BatchedInteractiveMessage | BatchedReactionMessage;
/** @description An approved template. Can be sent at any time. */
export type BatchedTemplateMessage = {
    /**
     * @description The recipient: a phone number in E.164 format with `+` (spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped), a contact id or a business-scoped user id.
     * @example +15551230001
     */
    to: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "template";
    template: MessageTemplate;
    /** @description The sender: the id of a connected phone number, or the number in E.164 format. By default the number of the quoted message, else of the latest conversation with the recipient, else the workspace's default number. */
    from?: string;
    /**
     * @description The id of the message to quote.
     * @example msg_01jd0000000000000000000000
     */
    reply_to?: string;
    /** @description Your own reference; returned with the message and its events. */
    reference?: string;
    /**
     * Format: date-time
     * @description The earliest time to send the message, up to 30 days ahead; one up to a minute ago is now.
     * @example 2026-01-31T09:30:00Z
     */
    send_at?: string;
    /**
     * Format: date-time
     * @description When the message becomes `expired` if it was not dispatched before.
     * @example 2026-01-31T09:30:00Z
     */
    expires_at?: string;
    /** @description Send although another responder owns the conversation, which takes it over. Without it a free-form message is refused with `thread_not_owned`; templates go anyway. */
    take?: boolean;
    /**
     * @description What to do if the provider's response was lost.
     * @enum {string}
     */
    on_unknown?: "hold" | "resend_once";
    /** @description A key of this message alone, the same as that of a `POST /v1/messages` with it. Without one, it is derived from the request's key and the place in the list. */
    idempotency_key?: string;
};
/** @description Free text. Can be sent within 24 hours of the person's last message, or with a `fallback`. */
export type BatchedTextMessage = {
    /**
     * @description The recipient: a phone number in E.164 format with `+` (spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped), a contact id or a business-scoped user id.
     * @example +15551230001
     */
    to: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "text";
    /** @description Free text. */
    text: {
        body: string;
        /** @description Whether to show a preview of the first link. */
        preview_url?: boolean;
    };
    /** @description The sender: the id of a connected phone number, or the number in E.164 format. By default the number of the quoted message, else of the latest conversation with the recipient, else the workspace's default number. */
    from?: string;
    /**
     * @description The id of the message to quote.
     * @example msg_01jd0000000000000000000000
     */
    reply_to?: string;
    /** @description Your own reference; returned with the message and its events. */
    reference?: string;
    /**
     * Format: date-time
     * @description The earliest time to send the message, up to 30 days ahead; one up to a minute ago is now.
     * @example 2026-01-31T09:30:00Z
     */
    send_at?: string;
    /**
     * Format: date-time
     * @description When the message becomes `expired` if it was not dispatched before.
     * @example 2026-01-31T09:30:00Z
     */
    expires_at?: string;
    /** @description Send although another responder owns the conversation, which takes it over. Without it a free-form message is refused with `thread_not_owned`; templates go anyway. */
    take?: boolean;
    /**
     * @description What to do if the provider's response was lost.
     * @enum {string}
     */
    on_unknown?: "hold" | "resend_once";
    fallback?: MessageFallback;
    /** @description A key of this message alone, the same as that of a `POST /v1/messages` with it. Without one, it is derived from the request's key and the place in the list. */
    idempotency_key?: string;
};
/** @description An image. Can be sent within 24 hours of the person's last message, or with a `fallback`. */
export type BatchedImageMessage = {
    /**
     * @description The recipient: a phone number in E.164 format with `+` (spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped), a contact id or a business-scoped user id.
     * @example +15551230001
     */
    to: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "image";
    /** @description An image, JPEG or PNG of up to 5 MB, with a caption. */
    image: {
        /** @description The id of media that is available: `med_…`. */
        id?: string;
        /**
         * @description The URL of the file, which the provider downloads. It keeps the file of a URL for 10 minutes.
         * @example https://cdn.example/a.jpg
         */
        link?: string;
        caption?: string;
    };
    /** @description The sender: the id of a connected phone number, or the number in E.164 format. By default the number of the quoted message, else of the latest conversation with the recipient, else the workspace's default number. */
    from?: string;
    /**
     * @description The id of the message to quote.
     * @example msg_01jd0000000000000000000000
     */
    reply_to?: string;
    /** @description Your own reference; returned with the message and its events. */
    reference?: string;
    /**
     * Format: date-time
     * @description The earliest time to send the message, up to 30 days ahead; one up to a minute ago is now.
     * @example 2026-01-31T09:30:00Z
     */
    send_at?: string;
    /**
     * Format: date-time
     * @description When the message becomes `expired` if it was not dispatched before.
     * @example 2026-01-31T09:30:00Z
     */
    expires_at?: string;
    /** @description Send although another responder owns the conversation, which takes it over. Without it a free-form message is refused with `thread_not_owned`; templates go anyway. */
    take?: boolean;
    /**
     * @description What to do if the provider's response was lost.
     * @enum {string}
     */
    on_unknown?: "hold" | "resend_once";
    fallback?: MessageFallback;
    /** @description A key of this message alone, the same as that of a `POST /v1/messages` with it. Without one, it is derived from the request's key and the place in the list. */
    idempotency_key?: string;
};
/** @description A video. Can be sent within 24 hours of the person's last message, or with a `fallback`. */
export type BatchedVideoMessage = {
    /**
     * @description The recipient: a phone number in E.164 format with `+` (spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped), a contact id or a business-scoped user id.
     * @example +15551230001
     */
    to: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "video";
    /** @description A video, MP4 or 3GPP of up to 16 MB, with a caption. */
    video: {
        /** @description The id of media that is available: `med_…`. */
        id?: string;
        /**
         * @description The URL of the file, which the provider downloads. It keeps the file of a URL for 10 minutes.
         * @example https://cdn.example/a.jpg
         */
        link?: string;
        caption?: string;
    };
    /** @description The sender: the id of a connected phone number, or the number in E.164 format. By default the number of the quoted message, else of the latest conversation with the recipient, else the workspace's default number. */
    from?: string;
    /**
     * @description The id of the message to quote.
     * @example msg_01jd0000000000000000000000
     */
    reply_to?: string;
    /** @description Your own reference; returned with the message and its events. */
    reference?: string;
    /**
     * Format: date-time
     * @description The earliest time to send the message, up to 30 days ahead; one up to a minute ago is now.
     * @example 2026-01-31T09:30:00Z
     */
    send_at?: string;
    /**
     * Format: date-time
     * @description When the message becomes `expired` if it was not dispatched before.
     * @example 2026-01-31T09:30:00Z
     */
    expires_at?: string;
    /** @description Send although another responder owns the conversation, which takes it over. Without it a free-form message is refused with `thread_not_owned`; templates go anyway. */
    take?: boolean;
    /**
     * @description What to do if the provider's response was lost.
     * @enum {string}
     */
    on_unknown?: "hold" | "resend_once";
    fallback?: MessageFallback;
    /** @description A key of this message alone, the same as that of a `POST /v1/messages` with it. Without one, it is derived from the request's key and the place in the list. */
    idempotency_key?: string;
};
/** @description Audio, or a voice message. Can be sent within 24 hours of the person's last message, or with a `fallback`. */
export type BatchedAudioMessage = {
    /**
     * @description The recipient: a phone number in E.164 format with `+` (spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped), a contact id or a business-scoped user id.
     * @example +15551230001
     */
    to: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "audio";
    /** @description Audio of up to 16 MB. It has no caption. */
    audio: {
        /** @description The id of media that is available: `med_…`. */
        id?: string;
        /**
         * @description The URL of the file, which the provider downloads. It keeps the file of a URL for 10 minutes.
         * @example https://cdn.example/a.jpg
         */
        link?: string;
        /** @description Whether to show it as a voice message, which has to be OGG with the Opus codec. */
        voice?: boolean;
    };
    /** @description The sender: the id of a connected phone number, or the number in E.164 format. By default the number of the quoted message, else of the latest conversation with the recipient, else the workspace's default number. */
    from?: string;
    /**
     * @description The id of the message to quote.
     * @example msg_01jd0000000000000000000000
     */
    reply_to?: string;
    /** @description Your own reference; returned with the message and its events. */
    reference?: string;
    /**
     * Format: date-time
     * @description The earliest time to send the message, up to 30 days ahead; one up to a minute ago is now.
     * @example 2026-01-31T09:30:00Z
     */
    send_at?: string;
    /**
     * Format: date-time
     * @description When the message becomes `expired` if it was not dispatched before.
     * @example 2026-01-31T09:30:00Z
     */
    expires_at?: string;
    /** @description Send although another responder owns the conversation, which takes it over. Without it a free-form message is refused with `thread_not_owned`; templates go anyway. */
    take?: boolean;
    /**
     * @description What to do if the provider's response was lost.
     * @enum {string}
     */
    on_unknown?: "hold" | "resend_once";
    fallback?: MessageFallback;
    /** @description A key of this message alone, the same as that of a `POST /v1/messages` with it. Without one, it is derived from the request's key and the place in the list. */
    idempotency_key?: string;
};
/** @description A document. Can be sent within 24 hours of the person's last message, or with a `fallback`. */
export type BatchedDocumentMessage = {
    /**
     * @description The recipient: a phone number in E.164 format with `+` (spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped), a contact id or a business-scoped user id.
     * @example +15551230001
     */
    to: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "document";
    /** @description A file of any type of up to 100 MB, with a caption. */
    document: {
        /** @description The id of media that is available: `med_…`. */
        id?: string;
        /**
         * @description The URL of the file, which the provider downloads. It keeps the file of a URL for 10 minutes.
         * @example https://cdn.example/a.jpg
         */
        link?: string;
        caption?: string;
        /** @description The name that the person sees; its extension decides about the icon. */
        filename?: string;
    };
    /** @description The sender: the id of a connected phone number, or the number in E.164 format. By default the number of the quoted message, else of the latest conversation with the recipient, else the workspace's default number. */
    from?: string;
    /**
     * @description The id of the message to quote.
     * @example msg_01jd0000000000000000000000
     */
    reply_to?: string;
    /** @description Your own reference; returned with the message and its events. */
    reference?: string;
    /**
     * Format: date-time
     * @description The earliest time to send the message, up to 30 days ahead; one up to a minute ago is now.
     * @example 2026-01-31T09:30:00Z
     */
    send_at?: string;
    /**
     * Format: date-time
     * @description When the message becomes `expired` if it was not dispatched before.
     * @example 2026-01-31T09:30:00Z
     */
    expires_at?: string;
    /** @description Send although another responder owns the conversation, which takes it over. Without it a free-form message is refused with `thread_not_owned`; templates go anyway. */
    take?: boolean;
    /**
     * @description What to do if the provider's response was lost.
     * @enum {string}
     */
    on_unknown?: "hold" | "resend_once";
    fallback?: MessageFallback;
    /** @description A key of this message alone, the same as that of a `POST /v1/messages` with it. Without one, it is derived from the request's key and the place in the list. */
    idempotency_key?: string;
};
/** @description A sticker. Can be sent within 24 hours of the person's last message, or with a `fallback`. */
export type BatchedStickerMessage = {
    /**
     * @description The recipient: a phone number in E.164 format with `+` (spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped), a contact id or a business-scoped user id.
     * @example +15551230001
     */
    to: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "sticker";
    /** @description A sticker: WebP of up to 100 KB, animated of up to 500 KB. */
    sticker: {
        /** @description The id of media that is available: `med_…`. */
        id?: string;
        /**
         * @description The URL of the file, which the provider downloads. It keeps the file of a URL for 10 minutes.
         * @example https://cdn.example/a.jpg
         */
        link?: string;
    };
    /** @description The sender: the id of a connected phone number, or the number in E.164 format. By default the number of the quoted message, else of the latest conversation with the recipient, else the workspace's default number. */
    from?: string;
    /**
     * @description The id of the message to quote.
     * @example msg_01jd0000000000000000000000
     */
    reply_to?: string;
    /** @description Your own reference; returned with the message and its events. */
    reference?: string;
    /**
     * Format: date-time
     * @description The earliest time to send the message, up to 30 days ahead; one up to a minute ago is now.
     * @example 2026-01-31T09:30:00Z
     */
    send_at?: string;
    /**
     * Format: date-time
     * @description When the message becomes `expired` if it was not dispatched before.
     * @example 2026-01-31T09:30:00Z
     */
    expires_at?: string;
    /** @description Send although another responder owns the conversation, which takes it over. Without it a free-form message is refused with `thread_not_owned`; templates go anyway. */
    take?: boolean;
    /**
     * @description What to do if the provider's response was lost.
     * @enum {string}
     */
    on_unknown?: "hold" | "resend_once";
    fallback?: MessageFallback;
    /** @description A key of this message alone, the same as that of a `POST /v1/messages` with it. Without one, it is derived from the request's key and the place in the list. */
    idempotency_key?: string;
};
/** @description A location. Can be sent within 24 hours of the person's last message, or with a `fallback`. */
export type BatchedLocationMessage = {
    /**
     * @description The recipient: a phone number in E.164 format with `+` (spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped), a contact id or a business-scoped user id.
     * @example +15551230001
     */
    to: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "location";
    /** @description A place, in degrees of WGS 84. */
    location: {
        /**
         * @description Degrees from -90 to 90, as a number or as a text of its digits.
         * @example 37.48
         */
        latitude: number | string;
        /**
         * @description Degrees from -180 to 180, as a number or as a text of its digits.
         * @example -122.15
         */
        longitude: number | string;
        name?: string;
        address?: string;
    };
    /** @description The sender: the id of a connected phone number, or the number in E.164 format. By default the number of the quoted message, else of the latest conversation with the recipient, else the workspace's default number. */
    from?: string;
    /**
     * @description The id of the message to quote.
     * @example msg_01jd0000000000000000000000
     */
    reply_to?: string;
    /** @description Your own reference; returned with the message and its events. */
    reference?: string;
    /**
     * Format: date-time
     * @description The earliest time to send the message, up to 30 days ahead; one up to a minute ago is now.
     * @example 2026-01-31T09:30:00Z
     */
    send_at?: string;
    /**
     * Format: date-time
     * @description When the message becomes `expired` if it was not dispatched before.
     * @example 2026-01-31T09:30:00Z
     */
    expires_at?: string;
    /** @description Send although another responder owns the conversation, which takes it over. Without it a free-form message is refused with `thread_not_owned`; templates go anyway. */
    take?: boolean;
    /**
     * @description What to do if the provider's response was lost.
     * @enum {string}
     */
    on_unknown?: "hold" | "resend_once";
    fallback?: MessageFallback;
    /** @description A key of this message alone, the same as that of a `POST /v1/messages` with it. Without one, it is derived from the request's key and the place in the list. */
    idempotency_key?: string;
};
/** @description Contact cards. Can be sent within 24 hours of the person's last message, or with a `fallback`. */
export type BatchedContactsMessage = {
    /**
     * @description The recipient: a phone number in E.164 format with `+` (spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped), a contact id or a business-scoped user id.
     * @example +15551230001
     */
    to: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "contacts";
    /** @description Contact cards. */
    contacts: ContactCard[];
    /** @description The sender: the id of a connected phone number, or the number in E.164 format. By default the number of the quoted message, else of the latest conversation with the recipient, else the workspace's default number. */
    from?: string;
    /**
     * @description The id of the message to quote.
     * @example msg_01jd0000000000000000000000
     */
    reply_to?: string;
    /** @description Your own reference; returned with the message and its events. */
    reference?: string;
    /**
     * Format: date-time
     * @description The earliest time to send the message, up to 30 days ahead; one up to a minute ago is now.
     * @example 2026-01-31T09:30:00Z
     */
    send_at?: string;
    /**
     * Format: date-time
     * @description When the message becomes `expired` if it was not dispatched before.
     * @example 2026-01-31T09:30:00Z
     */
    expires_at?: string;
    /** @description Send although another responder owns the conversation, which takes it over. Without it a free-form message is refused with `thread_not_owned`; templates go anyway. */
    take?: boolean;
    /**
     * @description What to do if the provider's response was lost.
     * @enum {string}
     */
    on_unknown?: "hold" | "resend_once";
    fallback?: MessageFallback;
    /** @description A key of this message alone, the same as that of a `POST /v1/messages` with it. Without one, it is derived from the request's key and the place in the list. */
    idempotency_key?: string;
};
/** @description An interactive message. Can be sent within 24 hours of the person's last message, or with a `fallback`. */
export type BatchedInteractiveMessage = {
    /**
     * @description The recipient: a phone number in E.164 format with `+` (spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped), a contact id or a business-scoped user id.
     * @example +15551230001
     */
    to: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "interactive";
    interactive: Interactive;
    /** @description The sender: the id of a connected phone number, or the number in E.164 format. By default the number of the quoted message, else of the latest conversation with the recipient, else the workspace's default number. */
    from?: string;
    /**
     * @description The id of the message to quote.
     * @example msg_01jd0000000000000000000000
     */
    reply_to?: string;
    /** @description Your own reference; returned with the message and its events. */
    reference?: string;
    /**
     * Format: date-time
     * @description The earliest time to send the message, up to 30 days ahead; one up to a minute ago is now.
     * @example 2026-01-31T09:30:00Z
     */
    send_at?: string;
    /**
     * Format: date-time
     * @description When the message becomes `expired` if it was not dispatched before.
     * @example 2026-01-31T09:30:00Z
     */
    expires_at?: string;
    /** @description Send although another responder owns the conversation, which takes it over. Without it a free-form message is refused with `thread_not_owned`; templates go anyway. */
    take?: boolean;
    /**
     * @description What to do if the provider's response was lost.
     * @enum {string}
     */
    on_unknown?: "hold" | "resend_once";
    fallback?: MessageFallback;
    /** @description A key of this message alone, the same as that of a `POST /v1/messages` with it. Without one, it is derived from the request's key and the place in the list. */
    idempotency_key?: string;
};
/** @description A reaction to a message. Can be sent within 24 hours of the person's last message, or with a `fallback`. */
export type BatchedReactionMessage = {
    /**
     * @description The recipient: a phone number in E.164 format with `+` (spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped), a contact id or a business-scoped user id.
     * @example +15551230001
     */
    to: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "reaction";
    /** @description A reaction to a message of the last 30 days. */
    reaction: {
        /**
         * @description The id of the message to react to, in either direction.
         * @example msg_01jd0000000000000000000000
         */
        message_id: string;
        /**
         * @description One emoji. An empty text removes the reaction.
         * @example 👍
         */
        emoji: string;
    };
    /** @description The sender: the id of a connected phone number, or the number in E.164 format. By default the number of the quoted message, else of the latest conversation with the recipient, else the workspace's default number. */
    from?: string;
    /** @description Your own reference; returned with the message and its events. */
    reference?: string;
    /**
     * Format: date-time
     * @description The earliest time to send the message, up to 30 days ahead; one up to a minute ago is now.
     * @example 2026-01-31T09:30:00Z
     */
    send_at?: string;
    /**
     * Format: date-time
     * @description When the message becomes `expired` if it was not dispatched before.
     * @example 2026-01-31T09:30:00Z
     */
    expires_at?: string;
    /** @description Send although another responder owns the conversation, which takes it over. Without it a free-form message is refused with `thread_not_owned`; templates go anyway. */
    take?: boolean;
    /**
     * @description What to do if the provider's response was lost.
     * @enum {string}
     */
    on_unknown?: "hold" | "resend_once";
    fallback?: MessageFallback;
    /** @description A key of this message alone, the same as that of a `POST /v1/messages` with it. Without one, it is derived from the request's key and the place in the list. */
    idempotency_key?: string;
};
export type MarkRead = {
    /** @description Also shows the person that you are writing, until your reply arrives or for 25 seconds. */
    typing?: boolean;
};
export type NewTemplate = {
    /** @description Lower-case letters, digits and underscores. Unique in the account for each language. */
    name: string;
    language: {
        /**
         * @description The language code.
         * @example en_US
         */
        code: string;
    };
    /**
     * @description The category. The provider may approve the template in another one.
     * @enum {string}
     */
    category: "utility" | "marketing" | "authentication";
    /** @description The components in the provider's format, with sample values for their variables. The sample of a media header is an https link or the id of media (`med_…`), which the gateway uploads, or the handle of an upload. */
    components: {
        [key: string]: unknown;
    }[];
    /**
     * @description How variables are written: `{{1}}` (default) or `{{name}}`.
     * @enum {string}
     */
    parameter_format?: "positional" | "named";
    /**
     * @description The account to submit it to. Default: that of `phone_number_id`, else of the default phone number.
     * @example acc_01jd0000000000000000000000
     */
    business_account_id?: string;
    /**
     * @description A phone number of the account to submit it to.
     * @example num_01jd0000000000000000000000
     */
    phone_number_id?: string;
    /** @description How long the provider tries to deliver a message of this template, in seconds: 30 to 900 for authentication, 30 to 43200 for utility, 43200 to 2592000 for marketing; -1 for 30 days. */
    message_send_ttl_seconds?: number;
};
export type TemplateChange = {
    /** @description The components in the provider's format, with sample values for their variables. The sample of a media header is an https link or the id of media (`med_…`), which the gateway uploads, or the handle of an upload. */
    components?: {
        [key: string]: unknown;
    }[];
    /**
     * @description The category. The provider may approve the template in another one.
     * @enum {string}
     */
    category?: "utility" | "marketing" | "authentication";
    /** @description How long the provider tries to deliver a message of this template, in seconds: 30 to 900 for authentication, 30 to 43200 for utility, 43200 to 2592000 for marketing; -1 for 30 days. */
    message_send_ttl_seconds?: number;
};
export type TemplateSync = {
    /**
     * @description The account to read. Default: all connected accounts.
     * @example acc_01jd0000000000000000000000
     */
    business_account_id?: string;
};
export type NewWebhookEndpoint = {
    /**
     * @description An https URL with a public address and port 443 or 8443, without credentials or spaces. Stored and returned as parsed, with the host in lower-case ASCII.
     * @example https://example.com/hooks
     */
    url: string;
    /**
     * @description `waypost`, the default: our own events. `provider`: the envelopes of the provider's callbacks, as any receiver of its callbacks reads them. It cannot be changed.
     * @enum {string}
     */
    format?: "waypost" | "provider";
    /** @description The kinds of events to receive, or `*` for all. */
    events?: ("*" | "messages" | "standby_messages" | "accepted" | "sent" | "delivered" | "read" | "played" | "failed" | "unknown" | "canceled" | "expired" | "message_deleted" | "warning" | "payment_updated" | "media_available" | "media_failed" | "pending" | "approved" | "rejected" | "paused" | "disabled" | "in_appeal" | "flagged" | "limit_exceeded" | "locked" | "pending_deletion" | "deleted" | "archived" | "template_quality_changed" | "template_category_changed" | "template_components_changed" | "endpoint_failing" | "endpoint_disabled" | "permissions_changed" | "signup_completed" | "signup_revoked" | "account_changed" | "phone_number_changed" | "thread_taken" | "thread_released" | "contact_created" | "contact_updated" | "contact_merged" | "contact_deleted" | "opted_out" | "opted_in" | "call")[];
    /** @description With the format `provider`, in place of `events`: the fields of the provider's callbacks to receive. */
    fields?: ("calls" | "message_echoes" | "messages" | "messaging_handovers" | "smb_message_echoes" | "standby" | "user_preferences" | "account_alerts" | "account_review_update" | "account_settings_update" | "account_update" | "business_capability_update" | "business_status_update" | "business_username_updates" | "flows" | "group_lifecycle_update" | "group_settings_update" | "group_status_update" | "message_template_components_update" | "message_template_quality_update" | "message_template_status_update" | "partner_solutions" | "payment_configuration_update" | "phone_number_name_update" | "phone_number_quality_update" | "security" | "template_category_update" | "template_correct_category_detection")[];
    /** @description With the format `provider`: the URL is asked with it as the provider asks, by `hub.mode`, `hub.challenge` and `hub.verify_token`, when the endpoint is created and whenever its URL changes. Kept encrypted and never returned. Null: it is not asked. */
    verify_token?: string | null;
    /** @description With the format `provider`: your own secret, such as the app secret that the receiver has already. Kept encrypted and never returned. */
    secret?: string;
    description?: string | null;
    /** @description Whether deliveries of a conversation keep their order: a delivery that waits for its retry holds back the later ones. */
    ordered?: boolean;
    /** @description Only events of these numbers, and of their accounts and templates; with `business_account_ids`, of either. Null, the default: of all. Events of contacts and of endpoints come only to endpoints without limits. */
    phone_number_ids?: string[] | null;
    /** @description Only events of these accounts, of their templates and of their numbers. Null, the default: of all. */
    business_account_ids?: string[] | null;
    /** @description Headers that deliveries carry besides those of the gateway, by name. At most 10. Values are kept encrypted and never returned. Headers of the gateway (`x-service-*`, `webhook-*`), of the body (`content-*`) and of the connection cannot be set. */
    headers?: {
        [key: string]: string;
    };
    /** @description How long an attempt may take, from the connection, which has 5 s of it, to your status line. 15 by default. */
    timeout_seconds?: number;
    /** @description The most attempts that are begun in a second. Null, the default: as many as the endpoint takes. */
    rate_per_second?: number | null;
    /** @description False: the endpoint begins disabled, and its deliveries wait until it is enabled. */
    enabled?: boolean;
};
export type WebhookEndpointChange = {
    /**
     * @description An https URL with a public address and port 443 or 8443, without credentials or spaces. Stored and returned as parsed, with the host in lower-case ASCII.
     * @example https://example.com/hooks
     */
    url?: string;
    /** @description The kinds of events to receive, or `*` for all. */
    events?: ("*" | "messages" | "standby_messages" | "accepted" | "sent" | "delivered" | "read" | "played" | "failed" | "unknown" | "canceled" | "expired" | "message_deleted" | "warning" | "payment_updated" | "media_available" | "media_failed" | "pending" | "approved" | "rejected" | "paused" | "disabled" | "in_appeal" | "flagged" | "limit_exceeded" | "locked" | "pending_deletion" | "deleted" | "archived" | "template_quality_changed" | "template_category_changed" | "template_components_changed" | "endpoint_failing" | "endpoint_disabled" | "permissions_changed" | "signup_completed" | "signup_revoked" | "account_changed" | "phone_number_changed" | "thread_taken" | "thread_released" | "contact_created" | "contact_updated" | "contact_merged" | "contact_deleted" | "opted_out" | "opted_in" | "call")[];
    /** @description With the format `provider`, in place of `events`: the fields of the provider's callbacks to receive. */
    fields?: ("calls" | "message_echoes" | "messages" | "messaging_handovers" | "smb_message_echoes" | "standby" | "user_preferences" | "account_alerts" | "account_review_update" | "account_settings_update" | "account_update" | "business_capability_update" | "business_status_update" | "business_username_updates" | "flows" | "group_lifecycle_update" | "group_settings_update" | "group_status_update" | "message_template_components_update" | "message_template_quality_update" | "message_template_status_update" | "partner_solutions" | "payment_configuration_update" | "phone_number_name_update" | "phone_number_quality_update" | "security" | "template_category_update" | "template_correct_category_detection")[];
    /** @description With the format `provider`: the URL is asked with it as the provider asks, by `hub.mode`, `hub.challenge` and `hub.verify_token`, when the endpoint is created and whenever its URL changes. Kept encrypted and never returned. Null: it is not asked. */
    verify_token?: string | null;
    description?: string | null;
    /** @description Whether deliveries of a conversation keep their order: a delivery that waits for its retry holds back the later ones. */
    ordered?: boolean;
    /** @description Only events of these numbers, and of their accounts and templates; with `business_account_ids`, of either. Null, the default: of all. Events of contacts and of endpoints come only to endpoints without limits. */
    phone_number_ids?: string[] | null;
    /** @description Only events of these accounts, of their templates and of their numbers. Null, the default: of all. */
    business_account_ids?: string[] | null;
    /** @description A header that is given is set, null removes it, others stay. At most 10. Values are kept encrypted and never returned. Headers of the gateway (`x-service-*`, `webhook-*`), of the body (`content-*`) and of the connection cannot be set. */
    headers?: {
        [key: string]: string | null;
    };
    /** @description How long an attempt may take, from the connection, which has 5 s of it, to your status line. 15 by default. */
    timeout_seconds?: number;
    /** @description The most attempts that are begun in a second. Null, the default: as many as the endpoint takes. */
    rate_per_second?: number | null;
    /** @description Whether the endpoint receives deliveries. False parks them, true releases them. */
    enabled?: boolean;
};
export type SecretRotation = {
    /** @description With the format `provider`: your own secret, such as the app secret that the receiver has already. Kept encrypted and never returned. */
    secret?: string;
    /**
     * @description How long the present secret also signs.
     * @default 86400
     */
    overlap_seconds?: number;
};
export type NewReplay = {
    /**
     * Format: date-time
     * @description Events created after this time. Those of more than 30 days ago, and those that are no longer kept, are left out.
     * @example 2026-01-31T09:30:00Z
     */
    created_after: string;
    /**
     * Format: date-time
     * @description Events created before this time; now by default.
     * @example 2026-01-31T09:30:00Z
     */
    created_before?: string;
    /** @description The kinds of events, or `*` for all; by default those that the endpoint listens to. */
    events?: ("*" | "messages" | "standby_messages" | "accepted" | "sent" | "delivered" | "read" | "played" | "failed" | "unknown" | "canceled" | "expired" | "message_deleted" | "warning" | "payment_updated" | "media_available" | "media_failed" | "pending" | "approved" | "rejected" | "paused" | "disabled" | "in_appeal" | "flagged" | "limit_exceeded" | "locked" | "pending_deletion" | "deleted" | "archived" | "template_quality_changed" | "template_category_changed" | "template_components_changed" | "endpoint_failing" | "endpoint_disabled" | "permissions_changed" | "signup_completed" | "signup_revoked" | "account_changed" | "phone_number_changed" | "thread_taken" | "thread_released" | "contact_created" | "contact_updated" | "contact_merged" | "contact_deleted" | "opted_out" | "opted_in" | "call")[];
    /**
     * @description `failed`: deliveries that were given up. `missing`: events of which the endpoint has no delivery, such as those from before it was created. `all`: both, and deliveries that succeeded. One that still waits for its next attempt is never among them. An endpoint with `phone_number_ids` or `business_account_ids` gets again only what it was sent before.
     * @enum {string}
     */
    only?: "failed" | "missing" | "all";
    /** @description True: only counts what fits. False by default. */
    dry_run?: boolean;
};
export type NewBusinessAccount = {
    /** @description The id of the WhatsApp Business Account. */
    provider_account_id: string;
    /** @description A provider token with permission to manage the account and to send its messages. Stored encrypted and never returned. */
    access_token: string;
};
export type BusinessAccountChange = {
    /** @description The id of the Messaging account that is named in every send of the account's phone numbers; null names none. */
    messaging_account_id?: string | null;
};
export type PhoneNumberChange = {
    /** @description Whether this phone number becomes the default. A workspace has one default phone number; it sends messages that have no `from` and belong to no earlier conversation. */
    is_default?: boolean;
    /** @description Your own note; null clears it. */
    description?: string | null;
};
export type BusinessProfileChange = {
    /** @description The line below the name. The provider does not let it be cleared. */
    about?: string;
    address?: string | null;
    description?: string | null;
    email?: string | null;
    /** @description Addresses with `http://` or `https://`; they replace those that were there. */
    websites?: string[] | null;
    /**
     * @description The industry, in the provider's words.
     * @enum {string|null}
     */
    vertical?: "ALCOHOL" | "APPAREL" | "AUTO" | "BEAUTY" | "EDU" | "ENTERTAIN" | "EVENT_PLAN" | "FINANCE" | "GOVT" | "GROCERY" | "HEALTH" | "HOTEL" | "MATRIMONY_SERVICE" | "NONPROFIT" | "NOT_A_BIZ" | "ONLINE_GAMBLING" | "OTC_DRUGS" | "OTHER" | "PHYSICAL_GAMBLING" | "PROF_SERVICES" | "RESTAURANT" | "RETAIL" | "TRAVEL" | null;
    /** @description The handle of a picture that was uploaded to the provider. */
    profile_picture_handle?: string;
};
export type NewEmbeddedSignup = {
    /** @description The code that the provider's signup dialog returned. It lives for 30 seconds: send it at once. */
    code: string;
    /** @description The id of the WhatsApp Business Account to connect, as the dialog reported it. Needed if the customer has granted several. Checked against the token: an account that was not granted is refused. */
    provider_account_id?: string;
    /** @description The id of the phone number to register, one of the account's. By default every number that can be is registered. */
    provider_phone_number_id?: string;
    /** @description The `redirect_uri` that the dialog was opened with, if it sent the code to an address: the provider compares it. Leave it out for a code of the provider's script. */
    redirect_uri?: string;
    /** @description The two-step PIN to register the phone numbers with, six digits. Needed for a number that has one already; by default a new one is chosen. Stored encrypted and never returned. */
    pin?: string;
};
export type SignupResume = {
    /** @description The code of a new dialog: the signup begins again with its token. */
    code?: string;
    /** @description The id of the WhatsApp Business Account to connect, as the dialog reported it. Needed if the customer has granted several. Checked against the token: an account that was not granted is refused. */
    provider_account_id?: string | null;
    /** @description The id of the phone number to register, one of the account's. By default every number that can be is registered. */
    provider_phone_number_id?: string | null;
    /** @description The `redirect_uri` that the dialog was opened with, if it sent the code to an address: the provider compares it. Leave it out for a code of the provider's script. */
    redirect_uri?: string;
    /** @description The two-step PIN to register the phone numbers with, six digits. Needed for a number that has one already; by default a new one is chosen. Stored encrypted and never returned. */
    pin?: string;
};
export type SetupLinkInput = {
    /** @description Where the page sends the client when it has ended, with `status` (`completed`, `failed` or `canceled`) and `embedded_signup_id` added to the query, and nothing else. An address with https; under `npm start` also one of this machine with http. By default the page only says that all is done. */
    return_url?: string | null;
    /**
     * Format: date-time
     * @description When the link stops working: in 7 days at most, by default in 24 hours.
     * @example 2026-01-31T09:30:00Z
     */
    expires_at?: string | null;
};
export type ControlConversation = {
    /**
     * @description Your phone number that the conversation is on.
     * @example num_01jd0000000000000000000000
     */
    phone_number_id: string;
    /**
     * @description `take`: you answer from now on. `release`: no responder does, and the provider routes the person's next message. `pass`: another responder does.
     * @enum {string}
     */
    action: "take" | "release" | "pass";
    /** @description With `pass`: whom it goes to by the provider's roles, such as `ai_agent`. By default the escalation partner. */
    target_role?: string;
};
export type NewContact = {
    /**
     * @description With `+` and country code; spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped.
     * @example +15551230001
     */
    phone: string;
    name?: string | null;
    email?: string | null;
    locale?: string | null;
    /** @description Your own facts, by name. At most 100; names of up to 64 letters, digits, `_`, `.` and `-`; texts of up to 1024 characters. */
    attributes?: {
        [key: string]: (string | number | boolean) | null;
    };
    tags?: string[];
    /**
     * @description What the person said to you. A later choice of theirs, such as a STOP, replaces it.
     * @enum {string}
     */
    marketing_consent?: "opted_in" | "opted_out";
};
export type ContactChange = {
    /** @description Null clears it. */
    name?: string | null;
    /** @description Null clears it. */
    email?: string | null;
    /** @description Null clears it. */
    locale?: string | null;
    /** @description Merged into those that there are; null removes one. At most 100; names of up to 64 letters, digits, `_`, `.` and `-`; texts of up to 1024 characters. */
    attributes?: {
        [key: string]: (string | number | boolean) | null;
    };
    /**
     * @description What the person said to you. A later choice of theirs, such as a STOP, replaces it.
     * @enum {string}
     */
    marketing_consent?: "opted_in" | "opted_out";
};
export type AddTags = {
    tags: string[];
};
export type MergeContact = {
    /** @description The other record of the person. Its id goes on to answer, as the contact's. */
    contact_id: string;
};
export type SegmentPreviewInput = {
    /**
     * @description Whom the segment has: `{"all": […]}`, `{"any": […]}`, `{"not": {…}}` or `{"field", "op", "value"}`, in each other up to 8 levels deep and 100 in all.
     *
     *     | Field | Operators |
     *     | --- | --- |
     *     | `tags` | `contains`, `not_contains` (one tag), `in` (any of them), `exists` |
     *     | `attributes.<name>` | `eq`, `ne`, `in`, `contains`, `not_contains`, `exists`, `gt`, `gte`, `lt`, `lte` |
     *     | `name`, `email`, `locale`, `phone` | `eq`, `ne`, `in`, `contains`, `not_contains`, `exists` |
     *     | `marketing_consent` | `eq`, `ne`, `in` |
     *     | `last_inbound_at`, `created_at` | `gt`, `gte`, `lt`, `lte`, `within_last`; of the first also `exists` |
     *
     *     `eq` and `in` (up to 100 values) compare exactly, of `phone` any form of the number; `contains` is a part of the text, whatever its case and accents. An attribute is compared with its like: a text is never more or less than a number; texts are ordered by their characters' code points. `exists` takes true or false, `within_last` a duration of weeks, days, hours, minutes or seconds such as `P7D` or `PT36H`. A contact without the field fits `ne`, `not_contains` and `exists` false, and nothing else; `not` has exactly those whom its node has not.
     * @example {
     *       "all": [
     *         {
     *           "field": "tags",
     *           "op": "contains",
     *           "value": "vip"
     *         },
     *         {
     *           "any": [
     *             {
     *               "field": "attributes.city",
     *               "op": "eq",
     *               "value": "Recife"
     *             },
     *             {
     *               "field": "locale",
     *               "op": "in",
     *               "value": [
     *                 "pt_BR"
     *               ]
     *             }
     *           ]
     *         },
     *         {
     *           "not": {
     *             "field": "last_inbound_at",
     *             "op": "within_last",
     *             "value": "P7D"
     *           }
     *         }
     *       ]
     *     }
     */
    filter: {
        [key: string]: unknown;
    };
};
export type NewSegment = {
    name: string;
    /**
     * @description Whom the segment has: `{"all": […]}`, `{"any": […]}`, `{"not": {…}}` or `{"field", "op", "value"}`, in each other up to 8 levels deep and 100 in all.
     *
     *     | Field | Operators |
     *     | --- | --- |
     *     | `tags` | `contains`, `not_contains` (one tag), `in` (any of them), `exists` |
     *     | `attributes.<name>` | `eq`, `ne`, `in`, `contains`, `not_contains`, `exists`, `gt`, `gte`, `lt`, `lte` |
     *     | `name`, `email`, `locale`, `phone` | `eq`, `ne`, `in`, `contains`, `not_contains`, `exists` |
     *     | `marketing_consent` | `eq`, `ne`, `in` |
     *     | `last_inbound_at`, `created_at` | `gt`, `gte`, `lt`, `lte`, `within_last`; of the first also `exists` |
     *
     *     `eq` and `in` (up to 100 values) compare exactly, of `phone` any form of the number; `contains` is a part of the text, whatever its case and accents. An attribute is compared with its like: a text is never more or less than a number; texts are ordered by their characters' code points. `exists` takes true or false, `within_last` a duration of weeks, days, hours, minutes or seconds such as `P7D` or `PT36H`. A contact without the field fits `ne`, `not_contains` and `exists` false, and nothing else; `not` has exactly those whom its node has not.
     * @example {
     *       "all": [
     *         {
     *           "field": "tags",
     *           "op": "contains",
     *           "value": "vip"
     *         },
     *         {
     *           "any": [
     *             {
     *               "field": "attributes.city",
     *               "op": "eq",
     *               "value": "Recife"
     *             },
     *             {
     *               "field": "locale",
     *               "op": "in",
     *               "value": [
     *                 "pt_BR"
     *               ]
     *             }
     *           ]
     *         },
     *         {
     *           "not": {
     *             "field": "last_inbound_at",
     *             "op": "within_last",
     *             "value": "P7D"
     *           }
     *         }
     *       ]
     *     }
     */
    filter: {
        [key: string]: unknown;
    };
};
export type SegmentChange = {
    name?: string;
    /**
     * @description Whom the segment has: `{"all": […]}`, `{"any": […]}`, `{"not": {…}}` or `{"field", "op", "value"}`, in each other up to 8 levels deep and 100 in all.
     *
     *     | Field | Operators |
     *     | --- | --- |
     *     | `tags` | `contains`, `not_contains` (one tag), `in` (any of them), `exists` |
     *     | `attributes.<name>` | `eq`, `ne`, `in`, `contains`, `not_contains`, `exists`, `gt`, `gte`, `lt`, `lte` |
     *     | `name`, `email`, `locale`, `phone` | `eq`, `ne`, `in`, `contains`, `not_contains`, `exists` |
     *     | `marketing_consent` | `eq`, `ne`, `in` |
     *     | `last_inbound_at`, `created_at` | `gt`, `gte`, `lt`, `lte`, `within_last`; of the first also `exists` |
     *
     *     `eq` and `in` (up to 100 values) compare exactly, of `phone` any form of the number; `contains` is a part of the text, whatever its case and accents. An attribute is compared with its like: a text is never more or less than a number; texts are ordered by their characters' code points. `exists` takes true or false, `within_last` a duration of weeks, days, hours, minutes or seconds such as `P7D` or `PT36H`. A contact without the field fits `ne`, `not_contains` and `exists` false, and nothing else; `not` has exactly those whom its node has not.
     * @example {
     *       "all": [
     *         {
     *           "field": "tags",
     *           "op": "contains",
     *           "value": "vip"
     *         },
     *         {
     *           "any": [
     *             {
     *               "field": "attributes.city",
     *               "op": "eq",
     *               "value": "Recife"
     *             },
     *             {
     *               "field": "locale",
     *               "op": "in",
     *               "value": [
     *                 "pt_BR"
     *               ]
     *             }
     *           ]
     *         },
     *         {
     *           "not": {
     *             "field": "last_inbound_at",
     *             "op": "within_last",
     *             "value": "P7D"
     *           }
     *         }
     *       ]
     *     }
     */
    filter?: {
        [key: string]: unknown;
    };
};
export type OwnWorkspaceChange = {
    /**
     * @description Messages that stop marketing to the person who sends them, by language (BCP 47); the languages are for you, and every keyword counts for every person. Replaces all of them; null sets the defaults.
     * @example {
     *       "en": [
     *         "STOP",
     *         "UNSUBSCRIBE"
     *       ],
     *       "es": [
     *         "BAJA"
     *       ]
     *     }
     */
    opt_out_keywords?: {
        [key: string]: string[];
    } | null;
    /**
     * @description The same for messages that allow marketing. Keywords that you set are an opt-in of the person who sends one; the defaults only end an opt-out, and are no consent of a person who has said nothing before. A keyword of both lists stops marketing.
     * @example {
     *       "en": [
     *         "STOP",
     *         "UNSUBSCRIBE"
     *       ],
     *       "es": [
     *         "BAJA"
     *       ]
     *     }
     */
    opt_in_keywords?: {
        [key: string]: string[];
    } | null;
    /** @description The app secret that signs the callbacks of endpoints which clients of the provider's API set up, from the next attempt on. Kept encrypted and never returned; null removes it. */
    front_app_secret?: string | null;
};
export type WorkspaceInput = {
    /** @description A name for humans, such as the workspace's owner. */
    name: string;
};
export type WorkspaceChange = {
    /** @description A name for humans, such as the workspace's owner. */
    name?: string;
    /**
     * @description The status. Calls with keys of a suspended workspace are refused with 403.
     * @enum {string}
     */
    status?: "active" | "suspended";
};
export type ApiKeyInput = {
    /** @description A name for humans, such as the program that uses the key. */
    name: string;
    /** @description The scopes of the key; `*` is all of them. */
    scopes: ("messages:read" | "messages:write" | "media:read" | "media:write" | "templates:read" | "templates:write" | "webhooks:read" | "webhooks:write" | "accounts:read" | "accounts:write" | "contacts:read" | "contacts:write" | "keys:write" | "audit:read" | "*")[];
    /** @description The phone numbers to which the key is limited: it sends with these alone, and sees nothing of others. Null or absent: all, also those that are connected later. */
    phone_number_ids?: string[] | null;
    /**
     * @description For clients of the Cloud API that send no idempotency key: a send whose `biz_opaque_callback_data` is that of one of the last 24 hours gets its answer again, and is not sent. Such values must have 16 characters or more. Null or absent: nothing is taken for a key.
     * @enum {string|null}
     */
    dedupe_by?: "biz_opaque_callback_data" | null;
    /**
     * Format: date-time
     * @description When the key expires; null or absent if it does not.
     * @example 2026-01-31T09:30:00Z
     */
    expires_at?: string | null;
};
export type RotateApiKeyInput = {
    /**
     * @description How long the old key keeps working; 0 ends it immediately.
     * @default 86400
     */
    overlap_seconds?: number;
};
export type QuarantineReplay = {
    reason: string;
};
export type Message = {
    /** @example msg_01jd0000000000000000000000 */
    id: string;
    /** @enum {string} */
    direction: "outbound" | "inbound";
    /** @enum {string} */
    status: "scheduled" | "queued" | "sending" | "accepted" | "sent" | "delivered" | "read" | "failed" | "canceled" | "expired" | "unknown" | "received";
    /** @description Whether the status is final: nothing more is tried or expected. */
    final: boolean;
    /** @description The recipient's number; null if the person has no visible number. */
    to: string | null;
    /** @description The sender's number; null if the person has no visible number. */
    from: string | null;
    /** @example num_01jd0000000000000000000000 */
    phone_number_id: string;
    /** @example con_01jd0000000000000000000000 */
    contact_id: string;
    /** @description The type of the message. The field of this name holds the content, null once the contact was erased. */
    type: string;
    /** @description For a template: the name, language and components as they were sent. */
    template?: {
        [key: string]: unknown;
    } | null;
    /** @description For a text: its `body`. */
    text?: {
        [key: string]: unknown;
    } | null;
    /** @description For an image: its `id` or `link` and `caption`. */
    image?: {
        [key: string]: unknown;
    } | null;
    /** @description For a video: its `id` or `link` and `caption`. */
    video?: {
        [key: string]: unknown;
    } | null;
    /** @description For audio: its `id` or `link`. */
    audio?: {
        [key: string]: unknown;
    } | null;
    /** @description For a document: its `id` or `link`, `caption` and `filename`. */
    document?: {
        [key: string]: unknown;
    } | null;
    /** @description For a sticker: its `id` or `link`. */
    sticker?: {
        [key: string]: unknown;
    } | null;
    /** @description For a location: its `latitude`, `longitude`, `name` and `address`. */
    location?: {
        [key: string]: unknown;
    } | null;
    /** @description For contacts: an array of the cards. */
    contacts?: ({
        [key: string]: unknown;
    } | unknown[] | string | number | boolean | null)[] | null;
    /** @description For an interactive message: its `type`, `header`, `body`, `footer` and `action`. */
    interactive?: {
        [key: string]: unknown;
    } | null;
    /** @description For a reaction: its `message_id` and `emoji`. An inbound one to a message that is not known here has the provider's id of it. */
    reaction?: {
        [key: string]: unknown;
    } | null;
    /** @example msg_01jd0000000000000000000000 */
    reply_to: string | null;
    /** @description For a button of a template that was pressed: its `payload` and `text`. */
    button?: {
        [key: string]: unknown;
    } | unknown[] | string | number | boolean | null;
    /** @description For an order: `catalog_id`, `text` and `product_items`. */
    order?: {
        [key: string]: unknown;
    } | unknown[] | string | number | boolean | null;
    /** @description For a notice of the provider, such as a changed number: its `body` and `type`. */
    system?: {
        [key: string]: unknown;
    } | unknown[] | string | number | boolean | null;
    /** @description For a change of an earlier message: its `original_message_id`, that has the provider's id where the message is not known here, and the new `message`. */
    edit?: {
        [key: string]: unknown;
    } | unknown[] | string | number | boolean | null;
    /** @description For a message that was taken back: its `original_message_id`, that has the provider's id where the message is not known here. */
    revoke?: {
        [key: string]: unknown;
    } | unknown[] | string | number | boolean | null;
    /** @description Empty: the person has opened the chat for the first time. */
    request_welcome?: {
        [key: string]: unknown;
    } | unknown[] | string | number | boolean | null;
    /** @description For a type that is not known here: the message as the provider reported it. */
    unsupported?: {
        [key: string]: unknown;
    } | unknown[] | string | number | boolean | null;
    /**
     * Format: date-time
     * @description The provider's time of a message that it reported: of an inbound one, and of one with an `origin`. Null for others. Absent in the answer to a send.
     */
    occurred_at?: string | null;
    /** @description Of a message that the provider reported: what it is about, as the provider gave it: the provider's `id` of a quoted message, also one that is not known here, whether it was `forwarded`, and the `referred_product`. Absent in the answer to a send. */
    context?: {
        [key: string]: unknown;
    } | null;
    /** @description The ad or post that led the person to write, as the provider gave it. Absent in the answer to a send. */
    referral?: {
        [key: string]: unknown;
    } | null;
    /** @description What the provider could not pass on of the message, as it gave it. Present where it gave any. */
    errors?: {
        [key: string]: unknown;
    } | unknown[] | string | number | boolean | null;
    /** @description The provider's id of the group that the message was written in. Present for these; they open no window and are in no conversation. */
    group_id?: string;
    /** @description What else the provider said of the message, and of its person under `contact`, by the provider's names. Present where there is any. */
    provider_fields?: {
        [key: string]: unknown;
    };
    /**
     * @description `other`: another responder of the number owned the conversation when the person wrote, or it wrote the message itself. Absent in the answer to a send.
     * @enum {string}
     */
    handled_by?: "self" | "other";
    /**
     * @description `business_app`: the business wrote it in the WhatsApp Business app. `history`: it was exchanged there, by either side, before the number was connected; it stands in lists at its own time, which `created_at` is too, its `sequence` is that of when it was taken, and no event announced it.
     * @enum {string}
     */
    origin?: "business_app" | "history";
    /** @description Your own reference. */
    reference: string | null;
    /** @description The category of the template: utility, marketing or authentication. */
    category: string | null;
    /** @description What is sent instead when the window is closed, as it was given. */
    fallback?: {
        [key: string]: unknown;
    } | null;
    /** @description Whether the last attempt sent the fallback. Present when there is one. */
    fallback_used?: boolean;
    /** @description The pricing as the provider reports it: `billable`, `pricing_model`, `category` and `type`. */
    pricing: {
        [key: string]: unknown;
    } | null;
    error: MessageError | null;
    /**
     * Format: date-time
     * @description The earliest time of the next attempt. Present where the provider refused an attempt for now and the message waits to be tried again; absent in the answer to a send and in events.
     */
    next_attempt_at?: string;
    last_error?: MessageError;
    provider_message_id: string | null;
    /** @description Whether the message was sent again after a lost response. */
    possible_duplicate: boolean;
    /** Format: date-time */
    created_at: string;
    /**
     * Format: date-time
     * @description When the message was going to be sent as far as was known when it was accepted: `send_at`, or the second by which the number has sent what waited before it. Null where that was not known.
     */
    estimated_dispatch_at: string | null;
    /** Format: date-time */
    send_at: string | null;
    /** Format: date-time */
    expires_at: string | null;
    /**
     * Format: date-time
     * @description When the provider accepted the message. This time and the four below are never earlier than the previous step; `history` has the times as the provider reported them.
     */
    accepted_at: string | null;
    /** Format: date-time */
    sent_at: string | null;
    /** Format: date-time */
    delivered_at: string | null;
    /** Format: date-time */
    read_at: string | null;
    /** Format: date-time */
    failed_at: string | null;
    /** @description The order of messages within a conversation: a later message has a larger number. Gaps have no meaning. */
    sequence: number;
} & {
    [key: string]: unknown;
};
export type MessageError = {
    /** @description A code of the catalogue in docs/errors.md. */
    code: string;
    title: string;
    detail: string;
    /** @description Whether sending the same message again can succeed without a change. Always false while the status is `unknown`. */
    retryable: boolean;
    /** @description What to do about the error. */
    remedy: string;
    /** @description The provider's own error, if it reported one. */
    provider?: {
        code: number;
        subcode: number | null;
        title: string;
        details: string | null;
        trace_id: string | null;
        /** @description The provider's page about the error. Present where it named one. */
        href?: string;
    };
};
export type SendBatchResult = {
    /** @description One entry for each message, in the order of the request: what was accepted, or why not. */
    data: {
        /** @description The place of the message in the request, from 0. */
        index: number;
        message?: Message;
        error?: Problem;
    }[];
};
export type MessageValidation = {
    /** @description Whether the message would be accepted now. */
    sendable: boolean;
    /** @description Everything that it would be refused with. */
    problems: Problem[];
    /** @description The 24-hour window between the sender and the person; null if one of them is not known. */
    window: {
        /** @example num_01jd0000000000000000000000 */
        phone_number_id: string;
        open: boolean;
        /**
         * Format: date-time
         * @description Null if the person has never written to the number.
         */
        expires_at: string | null;
    } | null;
    /** @description The template that the message names, or falls back to; null without one. */
    template: {
        /** @example tpl_01jd0000000000000000000000 */
        id: string;
        status: string;
        category: string;
    } | null;
    limits: {
        /** @description The messaging limit of the business portfolio, which all its phone numbers share: how many people it may write to outside their 24-hour windows within 24 hours (`limit`), how many it has written to (`used`), and when the next of them leaves (`resets_at`). `limit` is null when it is unlimited or not known. */
        messaging: {
            limit: number | null;
            used: number | null;
            remaining: number | null;
            /** Format: date-time */
            resets_at: string | null;
        } | null;
        /** @description The queue of the sender; null if there is none. */
        queue: {
            /** @description Messages that wait for the number now; null while that is not known. */
            waiting: number | null;
            /** @description With so many waiting, messages are refused with `queue_full`. */
            limit: number;
            /**
             * Format: date-time
             * @description When a message that is accepted now would be sent.
             */
            estimated_dispatch_at: string | null;
        } | null;
    };
};
export type ListedMessage = {
    /** @example msg_01jd0000000000000000000000 */
    id: string;
    /** @enum {string} */
    direction: "outbound" | "inbound";
    /** @enum {string} */
    status: "scheduled" | "queued" | "sending" | "accepted" | "sent" | "delivered" | "read" | "failed" | "canceled" | "expired" | "unknown" | "received";
    /** @description Whether the status is final: nothing more is tried or expected. */
    final: boolean;
    /** @description The recipient's number; null if the person has no visible number. */
    to: string | null;
    /** @description The sender's number; null if the person has no visible number. */
    from: string | null;
    /** @example num_01jd0000000000000000000000 */
    phone_number_id: string;
    /** @example con_01jd0000000000000000000000 */
    contact_id: string;
    /** @description The type of the message. The field of this name holds the content, null once the contact was erased. */
    type: string;
    /** @description For a template: the name, language and components as they were sent. */
    template?: {
        [key: string]: unknown;
    } | null;
    /** @description For a text: its `body`. */
    text?: {
        [key: string]: unknown;
    } | null;
    /** @description For an image: its `id` or `link` and `caption`. */
    image?: {
        [key: string]: unknown;
    } | null;
    /** @description For a video: its `id` or `link` and `caption`. */
    video?: {
        [key: string]: unknown;
    } | null;
    /** @description For audio: its `id` or `link`. */
    audio?: {
        [key: string]: unknown;
    } | null;
    /** @description For a document: its `id` or `link`, `caption` and `filename`. */
    document?: {
        [key: string]: unknown;
    } | null;
    /** @description For a sticker: its `id` or `link`. */
    sticker?: {
        [key: string]: unknown;
    } | null;
    /** @description For a location: its `latitude`, `longitude`, `name` and `address`. */
    location?: {
        [key: string]: unknown;
    } | null;
    /** @description For contacts: an array of the cards. */
    contacts?: ({
        [key: string]: unknown;
    } | unknown[] | string | number | boolean | null)[] | null;
    /** @description For an interactive message: its `type`, `header`, `body`, `footer` and `action`. */
    interactive?: {
        [key: string]: unknown;
    } | null;
    /** @description For a reaction: its `message_id` and `emoji`. An inbound one to a message that is not known here has the provider's id of it. */
    reaction?: {
        [key: string]: unknown;
    } | null;
    /** @example msg_01jd0000000000000000000000 */
    reply_to: string | null;
    /** @description For a button of a template that was pressed: its `payload` and `text`. */
    button?: {
        [key: string]: unknown;
    } | unknown[] | string | number | boolean | null;
    /** @description For an order: `catalog_id`, `text` and `product_items`. */
    order?: {
        [key: string]: unknown;
    } | unknown[] | string | number | boolean | null;
    /** @description For a notice of the provider, such as a changed number: its `body` and `type`. */
    system?: {
        [key: string]: unknown;
    } | unknown[] | string | number | boolean | null;
    /** @description For a change of an earlier message: its `original_message_id`, that has the provider's id where the message is not known here, and the new `message`. */
    edit?: {
        [key: string]: unknown;
    } | unknown[] | string | number | boolean | null;
    /** @description For a message that was taken back: its `original_message_id`, that has the provider's id where the message is not known here. */
    revoke?: {
        [key: string]: unknown;
    } | unknown[] | string | number | boolean | null;
    /** @description Empty: the person has opened the chat for the first time. */
    request_welcome?: {
        [key: string]: unknown;
    } | unknown[] | string | number | boolean | null;
    /** @description For a type that is not known here: the message as the provider reported it. */
    unsupported?: {
        [key: string]: unknown;
    } | unknown[] | string | number | boolean | null;
    /**
     * Format: date-time
     * @description The provider's time of a message that it reported: of an inbound one, and of one with an `origin`. Null for others. Absent in the answer to a send.
     */
    occurred_at?: string | null;
    /** @description Of a message that the provider reported: what it is about, as the provider gave it: the provider's `id` of a quoted message, also one that is not known here, whether it was `forwarded`, and the `referred_product`. Absent in the answer to a send. */
    context?: {
        [key: string]: unknown;
    } | null;
    /** @description The ad or post that led the person to write, as the provider gave it. Absent in the answer to a send. */
    referral?: {
        [key: string]: unknown;
    } | null;
    /** @description What the provider could not pass on of the message, as it gave it. Present where it gave any. */
    errors?: {
        [key: string]: unknown;
    } | unknown[] | string | number | boolean | null;
    /** @description The provider's id of the group that the message was written in. Present for these; they open no window and are in no conversation. */
    group_id?: string;
    /** @description What else the provider said of the message, and of its person under `contact`, by the provider's names. Present where there is any. */
    provider_fields?: {
        [key: string]: unknown;
    };
    /**
     * @description `other`: another responder of the number owned the conversation when the person wrote, or it wrote the message itself. Absent in the answer to a send.
     * @enum {string}
     */
    handled_by?: "self" | "other";
    /**
     * @description `business_app`: the business wrote it in the WhatsApp Business app. `history`: it was exchanged there, by either side, before the number was connected; it stands in lists at its own time, which `created_at` is too, its `sequence` is that of when it was taken, and no event announced it.
     * @enum {string}
     */
    origin?: "business_app" | "history";
    /** @description Your own reference. */
    reference: string | null;
    /** @description The category of the template: utility, marketing or authentication. */
    category: string | null;
    /** @description What is sent instead when the window is closed, as it was given. */
    fallback?: {
        [key: string]: unknown;
    } | null;
    /** @description Whether the last attempt sent the fallback. Present when there is one. */
    fallback_used?: boolean;
    /** @description The pricing as the provider reports it: `billable`, `pricing_model`, `category` and `type`. */
    pricing: {
        [key: string]: unknown;
    } | null;
    error: MessageError | null;
    /**
     * Format: date-time
     * @description The earliest time of the next attempt. Present where the provider refused an attempt for now and the message waits to be tried again; absent in the answer to a send and in events.
     */
    next_attempt_at?: string;
    last_error?: MessageError;
    provider_message_id: string | null;
    /** @description Whether the message was sent again after a lost response. */
    possible_duplicate: boolean;
    /** Format: date-time */
    created_at: string;
    /**
     * Format: date-time
     * @description When the message was going to be sent as far as was known when it was accepted: `send_at`, or the second by which the number has sent what waited before it. Null where that was not known.
     */
    estimated_dispatch_at: string | null;
    /** Format: date-time */
    send_at: string | null;
    /** Format: date-time */
    expires_at: string | null;
    /**
     * Format: date-time
     * @description When the provider accepted the message. This time and the four below are never earlier than the previous step; `history` has the times as the provider reported them.
     */
    accepted_at: string | null;
    /** Format: date-time */
    sent_at: string | null;
    /** Format: date-time */
    delivered_at: string | null;
    /** Format: date-time */
    read_at: string | null;
    /** Format: date-time */
    failed_at: string | null;
    /** @description The order of messages within a conversation: a later message has a larger number. Gaps have no meaning. */
    sequence: number;
    /** @description What the person sees, in one line of at most 160 characters: the text, a template with its parameters, a caption, or a word for what it is. Codes of authentication templates are dots. Null where nothing can be said. */
    preview: string | null;
} & {
    [key: string]: unknown;
};
export type MessageWithHistory = {
    /** @example msg_01jd0000000000000000000000 */
    id: string;
    /** @enum {string} */
    direction: "outbound" | "inbound";
    /** @enum {string} */
    status: "scheduled" | "queued" | "sending" | "accepted" | "sent" | "delivered" | "read" | "failed" | "canceled" | "expired" | "unknown" | "received";
    /** @description Whether the status is final: nothing more is tried or expected. */
    final: boolean;
    /** @description The recipient's number; null if the person has no visible number. */
    to: string | null;
    /** @description The sender's number; null if the person has no visible number. */
    from: string | null;
    /** @example num_01jd0000000000000000000000 */
    phone_number_id: string;
    /** @example con_01jd0000000000000000000000 */
    contact_id: string;
    /** @description The type of the message. The field of this name holds the content, null once the contact was erased. */
    type: string;
    /** @description For a template: the name, language and components as they were sent. */
    template?: {
        [key: string]: unknown;
    } | null;
    /** @description For a text: its `body`. */
    text?: {
        [key: string]: unknown;
    } | null;
    /** @description For an image: its `id` or `link` and `caption`. */
    image?: {
        [key: string]: unknown;
    } | null;
    /** @description For a video: its `id` or `link` and `caption`. */
    video?: {
        [key: string]: unknown;
    } | null;
    /** @description For audio: its `id` or `link`. */
    audio?: {
        [key: string]: unknown;
    } | null;
    /** @description For a document: its `id` or `link`, `caption` and `filename`. */
    document?: {
        [key: string]: unknown;
    } | null;
    /** @description For a sticker: its `id` or `link`. */
    sticker?: {
        [key: string]: unknown;
    } | null;
    /** @description For a location: its `latitude`, `longitude`, `name` and `address`. */
    location?: {
        [key: string]: unknown;
    } | null;
    /** @description For contacts: an array of the cards. */
    contacts?: ({
        [key: string]: unknown;
    } | unknown[] | string | number | boolean | null)[] | null;
    /** @description For an interactive message: its `type`, `header`, `body`, `footer` and `action`. */
    interactive?: {
        [key: string]: unknown;
    } | null;
    /** @description For a reaction: its `message_id` and `emoji`. An inbound one to a message that is not known here has the provider's id of it. */
    reaction?: {
        [key: string]: unknown;
    } | null;
    /** @example msg_01jd0000000000000000000000 */
    reply_to: string | null;
    /** @description For a button of a template that was pressed: its `payload` and `text`. */
    button?: {
        [key: string]: unknown;
    } | unknown[] | string | number | boolean | null;
    /** @description For an order: `catalog_id`, `text` and `product_items`. */
    order?: {
        [key: string]: unknown;
    } | unknown[] | string | number | boolean | null;
    /** @description For a notice of the provider, such as a changed number: its `body` and `type`. */
    system?: {
        [key: string]: unknown;
    } | unknown[] | string | number | boolean | null;
    /** @description For a change of an earlier message: its `original_message_id`, that has the provider's id where the message is not known here, and the new `message`. */
    edit?: {
        [key: string]: unknown;
    } | unknown[] | string | number | boolean | null;
    /** @description For a message that was taken back: its `original_message_id`, that has the provider's id where the message is not known here. */
    revoke?: {
        [key: string]: unknown;
    } | unknown[] | string | number | boolean | null;
    /** @description Empty: the person has opened the chat for the first time. */
    request_welcome?: {
        [key: string]: unknown;
    } | unknown[] | string | number | boolean | null;
    /** @description For a type that is not known here: the message as the provider reported it. */
    unsupported?: {
        [key: string]: unknown;
    } | unknown[] | string | number | boolean | null;
    /**
     * Format: date-time
     * @description The provider's time of a message that it reported: of an inbound one, and of one with an `origin`. Null for others. Absent in the answer to a send.
     */
    occurred_at?: string | null;
    /** @description Of a message that the provider reported: what it is about, as the provider gave it: the provider's `id` of a quoted message, also one that is not known here, whether it was `forwarded`, and the `referred_product`. Absent in the answer to a send. */
    context?: {
        [key: string]: unknown;
    } | null;
    /** @description The ad or post that led the person to write, as the provider gave it. Absent in the answer to a send. */
    referral?: {
        [key: string]: unknown;
    } | null;
    /** @description What the provider could not pass on of the message, as it gave it. Present where it gave any. */
    errors?: {
        [key: string]: unknown;
    } | unknown[] | string | number | boolean | null;
    /** @description The provider's id of the group that the message was written in. Present for these; they open no window and are in no conversation. */
    group_id?: string;
    /** @description What else the provider said of the message, and of its person under `contact`, by the provider's names. Present where there is any. */
    provider_fields?: {
        [key: string]: unknown;
    };
    /**
     * @description `other`: another responder of the number owned the conversation when the person wrote, or it wrote the message itself. Absent in the answer to a send.
     * @enum {string}
     */
    handled_by?: "self" | "other";
    /**
     * @description `business_app`: the business wrote it in the WhatsApp Business app. `history`: it was exchanged there, by either side, before the number was connected; it stands in lists at its own time, which `created_at` is too, its `sequence` is that of when it was taken, and no event announced it.
     * @enum {string}
     */
    origin?: "business_app" | "history";
    /** @description Your own reference. */
    reference: string | null;
    /** @description The category of the template: utility, marketing or authentication. */
    category: string | null;
    /** @description What is sent instead when the window is closed, as it was given. */
    fallback?: {
        [key: string]: unknown;
    } | null;
    /** @description Whether the last attempt sent the fallback. Present when there is one. */
    fallback_used?: boolean;
    /** @description The pricing as the provider reports it: `billable`, `pricing_model`, `category` and `type`. */
    pricing: {
        [key: string]: unknown;
    } | null;
    error: MessageError | null;
    /**
     * Format: date-time
     * @description The earliest time of the next attempt. Present where the provider refused an attempt for now and the message waits to be tried again; absent in the answer to a send and in events.
     */
    next_attempt_at?: string;
    last_error?: MessageError;
    provider_message_id: string | null;
    /** @description Whether the message was sent again after a lost response. */
    possible_duplicate: boolean;
    /** Format: date-time */
    created_at: string;
    /**
     * Format: date-time
     * @description When the message was going to be sent as far as was known when it was accepted: `send_at`, or the second by which the number has sent what waited before it. Null where that was not known.
     */
    estimated_dispatch_at: string | null;
    /** Format: date-time */
    send_at: string | null;
    /** Format: date-time */
    expires_at: string | null;
    /**
     * Format: date-time
     * @description When the provider accepted the message. This time and the four below are never earlier than the previous step; `history` has the times as the provider reported them.
     */
    accepted_at: string | null;
    /** Format: date-time */
    sent_at: string | null;
    /** Format: date-time */
    delivered_at: string | null;
    /** Format: date-time */
    read_at: string | null;
    /** Format: date-time */
    failed_at: string | null;
    /** @description The order of messages within a conversation: a later message has a larger number. Gaps have no meaning. */
    sequence: number;
    history: MessageHistoryEntry[];
} & {
    [key: string]: unknown;
};
export type MessageHistoryEntry = {
    /** @description What was reported. `queued` with an `error`: the provider refused an attempt for now, and the message waits to be tried again. */
    status: string;
    /** Format: date-time */
    at: string;
    /** Format: date-time */
    received_at: string;
    error: MessageError | null;
    /** @description What the provider said with the status of the conversation in which it counts the message, as it gave it: `id`, `origin`, until when. Present where it said any, mostly in free entry windows only. */
    conversation?: {
        [key: string]: unknown;
    };
};
export type MessageAtProvider = {
    /** @example msg_01jd0000000000000000000000 */
    message_id: string;
    /** @description The request of the last attempt. Null before the first, for a message that came from elsewhere, and once the contact was erased. */
    request: {
        method: string;
        /** @description Without its query. */
        path: string;
        /** @description The JSON that was sent. */
        body: {
            [key: string]: unknown;
        };
    } | null;
    /** @description In their order; of very many the last hundred. */
    attempts: {
        /** @description The number of the attempt, from 1. */
        attempt: number;
        /**
         * Format: date-time
         * @description Of an attempt that is under way; it is not kept of others.
         */
        started_at: string | null;
        /**
         * Format: date-time
         * @description When its outcome was known.
         */
        completed_at: string | null;
        /**
         * @description `lost`: no answer says what became of it.
         * @enum {string}
         */
        outcome: "accepted" | "refused" | "lost" | "under_way";
        provider_message_id: string | null;
        /** @description What the provider answered, if it did not accept. */
        error: MessageError | null;
    }[];
    /** @description In the order in which they were stored, for as long as events are kept. */
    reports: {
        /** @description The kind of the event that announced it. */
        kind: string;
        /**
         * Format: date-time
         * @description The provider's time.
         */
        occurred_at: string;
        /**
         * Format: date-time
         * @description When it was stored.
         */
        received_at: string;
        /** @description The part of the provider's callback that is of this message. Null once that is no longer kept. */
        callback: {
            [key: string]: unknown;
        } | null;
    }[];
};
export type AuditMessage = {
    /** @example aud_01jd0000000000000000000000 */
    id: string;
    /** Format: date-time */
    at: string;
    /** @example msg_01jd0000000000000000000000 */
    message_id: string;
    /** @description `created` or `received`, then each status once: accepted, sent, delivered, read, played, failed, canceled, expired, unknown, and given_up when nothing was heard of a lost answer; `refused` for each attempt that was refused for now, after which the message is tried again; deleted and warning of older versions of the provider. */
    event: string;
    actor: {
        /** @description api_key for what a call did, contact for what a person wrote, business_app for what was written there, provider for what it reported, else system. */
        type: string;
        /** @description Of the API key or the contact. */
        id: string | null;
        name: string | null;
    };
    /** @description Of a status the provider's time `occurred_at` and the `error`; of a refused attempt its number too, as `attempt`; at first the `type`, `phone_number_id` and `send_at` of the message. Never content, nor whom it is to. */
    detail: {
        [key: string]: unknown;
    } | null;
};
export type Media = {
    /** @example med_01jd0000000000000000000000 */
    id: string;
    /**
     * @description What it came as, or can be sent as: a file of type `document` is sent in `document`. Decided by the content.
     * @enum {string}
     */
    type: "image" | "video" | "audio" | "document" | "sticker";
    /** @description By the content of the file. Of inbound media that is not here yet as the provider said it. */
    mime_type: string | null;
    /** @description In bytes; null until the file is here. */
    size: number | null;
    /** @description Of the bytes, in hex; null until the file is here. */
    sha256: string | null;
    /** @description As the sender gave it. */
    filename: string | null;
    /**
     * @description `pending`: it is being fetched from the provider; after a try that failed `error` says why it is tried again. `failed`: there is no file, and `error` says why.
     * @enum {string}
     */
    status: "pending" | "available" | "failed";
    error: MediaError | null;
    /** @enum {string} */
    source: "upload" | "inbound";
    /**
     * @description The message that a person sent it in.
     * @example msg_01jd0000000000000000000000
     */
    message_id: string | null;
    /** @description A signed address of the content for readers without a key, valid for 5 minutes. Only in the answer to `GET /v1/media/{id}`, and null until the file is here. */
    content_url: string | null;
    /** Format: date-time */
    content_url_expires_at: string | null;
    /** Format: date-time */
    created_at: string;
};
export type MediaError = {
    /** @constant */
    code: "media_failed";
    /** @description What was wrong, for people. */
    detail: string;
    /** @description Whether the same file may succeed later. */
    retryable: boolean;
};
export type Template = {
    /** @example tpl_01jd0000000000000000000000 */
    id: string;
    /** @example acc_01jd0000000000000000000000 */
    business_account_id: string;
    provider_template_id: string;
    name: string;
    language: {
        /** @example en_US */
        code: string;
    };
    /** @description The category: utility, marketing or authentication. */
    category: string;
    /** @enum {string} */
    status: "pending" | "approved" | "rejected" | "paused" | "disabled" | "in_appeal" | "flagged" | "limit_exceeded" | "locked" | "pending_deletion" | "deleted" | "archived";
    /** @description The provider's quality rating: green, yellow, red or unknown. */
    quality: string;
    /** @description The components in the provider's format. */
    components: {
        [key: string]: unknown;
    }[];
    /** @description The format of the parameters: positional or named. */
    parameter_format: string;
    /** @description The provider's reason for a rejection. */
    rejection_reason: string | null;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
};
export type TemplateValidation = {
    /** @description Whether the template would be submitted to the provider. */
    valid: boolean;
    /** @description Everything that it would be refused with. */
    problems: Problem[];
};
export type TemplateSyncResult = {
    /** @description One result for each account. */
    data: {
        /** @example acc_01jd0000000000000000000000 */
        business_account_id: string;
        /**
         * @description `running`: the provider had not answered in time, and a task goes on. `failed`: see `error`.
         * @enum {string}
         */
        status: "completed" | "running" | "failed";
        /** @description Templates that were not known here. */
        created: number;
        /** @description Templates that had changed at the provider. */
        updated: number;
        /** @description Templates that the provider no longer has. */
        deleted: number;
        /** @description Why it failed. */
        error: {
            code: string;
            detail: string;
        } | null;
    }[];
};
export type WebhookEndpointWithSecret = {
    /** @example whe_01jd0000000000000000000000 */
    id: string;
    url: string;
    /**
     * @description `waypost`, the default: our own events. `provider`: the envelopes of the provider's callbacks, as any receiver of its callbacks reads them. It cannot be changed.
     * @enum {string}
     */
    format: "waypost" | "provider";
    events: string[];
    fields: ("calls" | "message_echoes" | "messages" | "messaging_handovers" | "smb_message_echoes" | "standby" | "user_preferences" | "account_alerts" | "account_review_update" | "account_settings_update" | "account_update" | "business_capability_update" | "business_status_update" | "business_username_updates" | "flows" | "group_lifecycle_update" | "group_settings_update" | "group_status_update" | "message_template_components_update" | "message_template_quality_update" | "message_template_status_update" | "partner_solutions" | "payment_configuration_update" | "phone_number_name_update" | "phone_number_quality_update" | "security" | "template_category_update" | "template_correct_category_detection")[];
    description: string | null;
    ordered: boolean;
    phone_number_ids: string[] | null;
    business_account_ids: string[] | null;
    /** @description The names of the headers that deliveries carry besides those of the gateway; their values are not returned. */
    headers: string[];
    timeout_seconds: number;
    rate_per_second: number | null;
    enabled: boolean;
    /**
     * @description `failing`: every attempt of an hour or longer failed. One that succeeds makes it `active` again.
     * @enum {string}
     */
    status: "active" | "failing" | "disabled";
    /** @description Why the endpoint is disabled: `requested`, `gone` if the receiver responded with 410, or `failing` if every attempt of 5 days failed. */
    disabled_reason: string | null;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
    /** @description The secret that signs every delivery. Returned only in this response; store it. Absent where the request brings one. */
    secret?: string;
};
export type WebhookEndpoint = {
    /** @example whe_01jd0000000000000000000000 */
    id: string;
    url: string;
    /**
     * @description `waypost`, the default: our own events. `provider`: the envelopes of the provider's callbacks, as any receiver of its callbacks reads them. It cannot be changed.
     * @enum {string}
     */
    format: "waypost" | "provider";
    events: string[];
    fields: ("calls" | "message_echoes" | "messages" | "messaging_handovers" | "smb_message_echoes" | "standby" | "user_preferences" | "account_alerts" | "account_review_update" | "account_settings_update" | "account_update" | "business_capability_update" | "business_status_update" | "business_username_updates" | "flows" | "group_lifecycle_update" | "group_settings_update" | "group_status_update" | "message_template_components_update" | "message_template_quality_update" | "message_template_status_update" | "partner_solutions" | "payment_configuration_update" | "phone_number_name_update" | "phone_number_quality_update" | "security" | "template_category_update" | "template_correct_category_detection")[];
    description: string | null;
    ordered: boolean;
    phone_number_ids: string[] | null;
    business_account_ids: string[] | null;
    /** @description The names of the headers that deliveries carry besides those of the gateway; their values are not returned. */
    headers: string[];
    timeout_seconds: number;
    rate_per_second: number | null;
    enabled: boolean;
    /**
     * @description `failing`: every attempt of an hour or longer failed. One that succeeds makes it `active` again.
     * @enum {string}
     */
    status: "active" | "failing" | "disabled";
    /** @description Why the endpoint is disabled: `requested`, `gone` if the receiver responded with 410, or `failing` if every attempt of 5 days failed. */
    disabled_reason: string | null;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
};
export type Delivery = {
    /** @example dlv_01jd0000000000000000000000 */
    id: string;
    /** @example evt_01jd0000000000000000000000 */
    event_id: string;
    /** @example whe_01jd0000000000000000000000 */
    webhook_endpoint_id: string;
    kind: string;
    /** @enum {string} */
    status: "pending" | "succeeded" | "failed" | "parked";
    /** @description The number of attempts so far. */
    attempt: number;
    /** Format: date-time */
    next_attempt_at: string | null;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    completed_at: string | null;
    /** @description The attempts, oldest first. */
    attempts: {
        n: number;
        /** Format: date-time */
        started_at: string;
        duration_ms: number;
        status_code: number | null;
        outcome: string;
        error: string | null;
        /** @description The start of the response body. Null where it could repeat what may not be read: once the person is erased or the event is not kept, and for messages without the scope `messages:read`. */
        response: string | null;
        /** @description What was posted. Only where one delivery is read. */
        request?: {
            /** @description Its headers without the signatures, by names in lower case. Those that the endpoint has of its own now are null. */
            headers: {
                [key: string]: string | null;
            };
            /** @description Its body, rendered from what is kept of the event now; null when the event is not kept. Without the scope `messages:read`, messages have no content. */
            body: string | null;
        };
    }[];
};
export type DeliverySummary = {
    /** @example dlv_01jd0000000000000000000000 */
    id: string;
    /** @example evt_01jd0000000000000000000000 */
    event_id: string;
    /** @example whe_01jd0000000000000000000000 */
    webhook_endpoint_id: string;
    kind: string;
    /** @enum {string} */
    status: "pending" | "succeeded" | "failed" | "parked";
    /** @description The number of attempts so far. */
    attempt: number;
    /** Format: date-time */
    next_attempt_at: string | null;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    completed_at: string | null;
};
export type Replay = {
    /** @example rpl_01jd0000000000000000000000 */
    id: string;
    /** @example whe_01jd0000000000000000000000 */
    webhook_endpoint_id: string;
    /** Format: date-time */
    created_after: string;
    /** Format: date-time */
    created_before: string;
    events: string[];
    /**
     * @description `failed`: deliveries that were given up. `missing`: events of which the endpoint has no delivery, such as those from before it was created. `all`: both, and deliveries that succeeded. One that still waits for its next attempt is never among them. An endpoint with `phone_number_ids` or `business_account_ids` gets again only what it was sent before.
     * @enum {string}
     */
    only: "failed" | "missing" | "all";
    dry_run: boolean;
    /**
     * @description `completed`: each delivery that was scheduled has succeeded or failed. `failed`: it could not go on, as `error` says: `endpoint_deleted` or, where deliveries wait no longer for it, `endpoint_disabled`; after another error those that are scheduled are still attempted.
     * @enum {string}
     */
    status: "pending" | "running" | "completed" | "failed";
    progress: {
        /** @description Events that were found so far. */
        matched: number;
        /** @description Deliveries of them that are attempted by this replay; none in a dry run. */
        scheduled: number;
        /** @description Of these, those that the endpoint took. */
        succeeded: number;
        /** @description Of these, those that were given up. */
        failed: number;
    };
    /** @description Why it failed. */
    error: {
        code: string;
        detail: string;
    } | null;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    completed_at: string | null;
};
/** @description An event, as it is the body of its deliveries. */
export type Event = {
    /** @example evt_01jd0000000000000000000000 */
    id: string;
    /** @description What happened, such as `delivered`. */
    kind: string;
    /** @description The group of the kind, whose `data` has the same fields. */
    category: string;
    /** @example ws_01jd0000000000000000000000 */
    workspace_id: string;
    /** Format: date-time */
    created_at: string;
    /** @description The order of events within a conversation: a later one has a larger number. Gaps have no meaning. */
    sequence: number;
    /** @description What the event is about, by its category. */
    data: {
        [key: string]: unknown;
    };
    /** @description True where the body would be larger than 256 KiB: `data` has ids, states and what else is short, without the content. */
    truncated?: boolean;
};
export type BusinessAccount = {
    /** @example acc_01jd0000000000000000000000 */
    id: string;
    provider_account_id: string;
    name: string;
    /** @enum {string} */
    status: "connecting" | "connected" | "restricted" | "disconnected";
    /** @description Why the account is not connected, or why a new token was refused. */
    status_reason: string | null;
    phone_numbers: PhoneNumber[];
    /** @description The id of the business portfolio at the provider. */
    portfolio_id: string | null;
    /** @description The IANA name of the time zone that the provider bills the account in. Null while it is not known, or when the provider's is not known here; UTC is assumed then. */
    time_zone: string | null;
    /** @description The id of the Messaging account that sends name, where the provider has several for one of the phone numbers. Null: none is named. */
    messaging_account_id: string | null;
    /** @description The id of the WhatsApp account, once the provider has named it in a callback. */
    waac_id: string | null;
    /** Format: date-time */
    created_at: string;
};
export type PhoneNumber = {
    /** @example num_01jd0000000000000000000000 */
    id: string;
    /** @description The phone number's id at the provider. */
    provider_phone_number_id: string;
    /** @example acc_01jd0000000000000000000000 */
    business_account_id: string;
    /**
     * @description The phone number in E.164 format, with `+`.
     * @example +15559990000
     */
    phone: string;
    /** @description The name that recipients see. */
    verified_name: string | null;
    /** @description The provider's quality rating: green, yellow, red or unknown. */
    quality: string;
    /** @description The provider's status in lower case. A `connected` phone number can send; one that is `flagged`, `restricted` or `rate_limited` as far as the provider lets it, and none that is `pending`, `unverified`, `disconnected`, `banned`, `migrated` or `deleted`. */
    status: string;
    /** @description The number of messages per second that the provider accepts. */
    throughput_per_second: number;
    /** @description Whether this phone number sends messages that have no `from` and belong to no earlier conversation. */
    is_default: boolean;
    /** @description Your own note. */
    description: string | null;
    /** @description The messaging limit of the business portfolio, which all its phone numbers share: how many people it may write to outside their 24-hour windows within 24 hours (`limit`), how many it has written to (`used`), and when the next of them leaves (`resets_at`). `limit` is null when it is unlimited or not known. */
    messaging_limit: {
        limit: number | null;
        used: number | null;
        remaining: number | null;
        /** Format: date-time */
        resets_at: string | null;
    };
    service_allowance: ServiceAllowance;
    /**
     * Format: date-time
     * @description When one marketing message is tried again, after the provider refused marketing of this phone number as spam; until one is accepted, marketing templates wait. Null if nothing is held back.
     */
    marketing_stopped_until: string | null;
};
/** @description What the provider delivers free of charge of messages that are no templates. */
export type ServiceAllowance = {
    /** @description Service messages that the provider delivers free of charge in a calendar month. */
    included: number;
    /** @description Service messages of this phone number that were delivered in the running month, as far as this gateway sent them; may be more than `included`. Reactions do not count, nor do messages that are free for another reason: an entry point such as an advertisement, or an exempt organisation. At most a minute late. Null in events. */
    used: number | null;
    /** @description How many are left at most: other partners that send from the same phone number use the same allowance, which cannot be seen from here. Null in events. */
    remaining: number | null;
    /**
     * Format: date-time
     * @description When the next month begins, in the time zone of the business account, or in UTC while that is not known. Null in events.
     */
    resets_at: string | null;
};
export type PhoneNumberHealth = {
    /** @example num_01jd0000000000000000000000 */
    phone_number_id: string;
    /** @description Always all of them, in this order: the first that is not `ok` is mostly why others are not. */
    checks: {
        /**
         * @description `token`: the provider lets the account's token in. `access`: the account may send. `subscribed`: the gateway's app gets its callbacks. `callback_seen`: callbacks of this number arrive. `registered`: the number can send. `quality`: people do not block or report it. `throughput`: the messages a second that the provider allows. `limit`: there is room in the messaging limit.
         * @enum {string}
         */
        name: "token" | "access" | "subscribed" | "callback_seen" | "registered" | "quality" | "throughput" | "limit";
        /** @description Null: it is not known. */
        ok: boolean | null;
        /** @description What was found. */
        detail: string;
        /** @description What to do; null where there is nothing to do. */
        remedy: string | null;
        /** Format: date-time */
        checked_at: string;
    }[];
};
export type BusinessProfile = {
    /** @example num_01jd0000000000000000000000 */
    phone_number_id: string;
    /** @description The line below the name. */
    about: string | null;
    address: string | null;
    description: string | null;
    email: string | null;
    websites: string[];
    /** @description The industry, in the provider's words: `RETAIL`. Null if the profile names none. */
    vertical: string | null;
    /** @description The provider's address of the picture. It expires: do not store it. */
    profile_picture_url: string | null;
};
export type EmbeddedSignup = {
    /** @example sgn_01jd0000000000000000000000 */
    id: string;
    /** @enum {string} */
    status: "pending" | "running" | "completed" | "failed";
    /** @description The provider's id of the account: as it was given until `verify_ownership` is done. */
    provider_account_id: string | null;
    /** @description The phone number that was given; null for all of the account. */
    provider_phone_number_id: string | null;
    /**
     * @description The connected account, once the signup is completed.
     * @example acc_01jd0000000000000000000000
     */
    business_account_id: string | null;
    /** @description The steps, in the order in which they are done. */
    steps: {
        /** @enum {string} */
        name: "exchange" | "inspect_token" | "verify_ownership" | "subscribe" | "register" | "import";
        /** @enum {string} */
        status: "pending" | "done" | "failed";
        /** @description What was done, or why it was not and what to do about it. */
        detail: string | null;
        /** @description Why the step has failed, or why it is tried again. */
        error: {
            /** @enum {string} */
            code: "code_expired" | "code_rejected" | "token_invalid" | "token_of_another_app" | "scope_missing" | "account_not_granted" | "account_required" | "phone_number_not_found" | "phone_number_not_verified" | "pin_wrong" | "conflict" | "provider_rejected" | "provider_unavailable" | "secrets_unreadable" | "given_up";
            /** @description Whether the step is tried again without a call of yours. */
            retryable: boolean;
            /** @description The provider's own error. */
            provider: {
                code: number;
                subcode: number | null;
                title: string;
                details: string | null;
                trace_id: string | null;
            } | null;
        } | null;
        /** Format: date-time */
        completed_at: string | null;
    }[];
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
    /** Format: date-time */
    completed_at: string | null;
};
export type EmbeddedSignupConfig = {
    /** @description The address of the provider's dialog. Add a `state` of your own: it comes back beside the `code`. Null while the operator has not set `PROVIDER_APP_ID` and `PROVIDER_SIGNUP_CONFIG_ID`. */
    dialog_url: string | null;
    /** @description The operator's app at the provider. */
    app_id: string | null;
    /** @description The configuration of the dialog. */
    config_id: string | null;
    /** @description The page of this gateway to which the dialog returns: send it as `redirect_uri` beside the `code` of this dialog. */
    redirect_uri: string;
};
export type NewSetupLink = {
    /** @example stl_01jd0000000000000000000000 */
    id: string;
    /**
     * @description `open` until an account is connected by it (`completed`), it is revoked or it expires. A signup that was begun goes on all the same, and makes the link `completed` when it succeeds.
     * @enum {string}
     */
    status: "open" | "completed" | "revoked" | "expired";
    /** Format: date-time */
    expires_at: string;
    /** @description Where the page sends the client afterwards. */
    return_url: string | null;
    /**
     * @description The signup that was begun by the link. It has one at most, which the page resumes.
     * @example sgn_01jd0000000000000000000000
     */
    embedded_signup_id: string | null;
    /** Format: date-time */
    created_at: string;
    /** @description The address to send to the client, returned only in this response. What stands behind its `#` is a secret: who has it can connect an account to this workspace. */
    url: string;
};
export type SetupLink = {
    /** @example stl_01jd0000000000000000000000 */
    id: string;
    /**
     * @description `open` until an account is connected by it (`completed`), it is revoked or it expires. A signup that was begun goes on all the same, and makes the link `completed` when it succeeds.
     * @enum {string}
     */
    status: "open" | "completed" | "revoked" | "expired";
    /** Format: date-time */
    expires_at: string;
    /** @description Where the page sends the client afterwards. */
    return_url: string | null;
    /**
     * @description The signup that was begun by the link. It has one at most, which the page resumes.
     * @example sgn_01jd0000000000000000000000
     */
    embedded_signup_id: string | null;
    /** Format: date-time */
    created_at: string;
};
export type Conversation = {
    /** @example con_01jd0000000000000000000000 */
    contact_id: string;
    /**
     * @description Your phone number.
     * @example num_01jd0000000000000000000000
     */
    phone_number_id: string;
    contact: {
        /** @example con_01jd0000000000000000000000 */
        id: string;
        /** @description The name that you use, else the one that the person uses. */
        name: string | null;
        /** @description Null if the person has no visible number. */
        phone: string | null;
    };
    last_message: ListedMessage;
    /** @description The person's messages since the last one that you marked as read, counted among the latest 500 that were exchanged. */
    unread_count: number;
    window: {
        /** @description Whether free-form messages can be sent now. */
        open: boolean;
        /**
         * Format: date-time
         * @description Null if the person never wrote to this number.
         */
        expires_at: string | null;
    };
    owner: {
        /**
         * @description Who answers, where the provider has several responders for the number: you, another one, or neither. Free-form messages to a conversation of another one are refused without `take`.
         * @enum {string}
         */
        role: "self" | "other" | "none";
        /**
         * Format: date-time
         * @description Null where nothing was said of it. Ownership ends a day after the person's last message.
         */
        since: string | null;
    };
    /** Format: date-time */
    updated_at: string;
};
export type ContactImport = {
    /** @example imp_01jd0000000000000000000000 */
    id: string;
    /**
     * @description `completed`: the whole file was read, rows that were refused are in `progress.failed`. After `failed` and `canceled` the rows that are counted stay imported.
     * @enum {string}
     */
    status: "pending" | "running" | "completed" | "failed" | "canceled";
    /** @enum {string} */
    format: "csv" | "ndjson";
    /** @description As it was given: column → field, null for a column that is ignored. */
    mapping: {
        [key: string]: string | null;
    };
    progress: {
        /** @description Rows that were read, those without any change too. */
        rows: number;
        /** @description Contacts that were created. */
        created: number;
        /** @description Contacts that were changed. */
        updated: number;
        /** @description Rows that were refused. */
        failed: number;
        /** @description Bytes of the file that were read. */
        bytes: number;
        /** @description Bytes of the file. */
        total_bytes: number;
    };
    /** @description Why it failed. */
    error: {
        code: string;
        detail: string;
    } | null;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    completed_at: string | null;
};
export type ContactImportError = {
    /** @description The row of data, from 1. */
    row: number;
    /** @description The line of the file on which the row begins, from 1. */
    line: number;
    /** @description As the file calls it, or its place (`#3`) where it has no name; null for the row as a whole. */
    column: string | null;
    code: string;
    /** @description What the column takes. The value itself is not repeated. */
    detail: string;
};
export type Contact = {
    /** @example con_01jd0000000000000000000000 */
    id: string;
    /** @description In E.164 as first seen; null if the person has no visible number. */
    phone: string | null;
    /** @description The number as the provider calls it; messages go to this form. Null until a message is reported as sent, delivered or read, or the person writes; or the answer to a send names another form than was written to. An id of the provider that is no number is shown here too, and cannot be written to. */
    wa_id: string | null;
    /** @description The person's business-scoped user id. */
    user_id: string | null;
    /** @description The user id above it, where portfolios are linked. */
    parent_user_id: string | null;
    username: string | null;
    /** @description The name that the person uses. */
    profile_name: string | null;
    /** @description The name that you use. */
    name: string | null;
    email: string | null;
    /** @description A language tag such as `pt_BR`. */
    locale: string | null;
    /** @description Your own facts, by name. */
    attributes: {
        [key: string]: string | number | boolean;
    };
    /** @description Sorted, each once. */
    tags: string[];
    /**
     * @description Marketing templates to a person who opted out are refused. The person's most recent choice applies.
     * @enum {string}
     */
    marketing_consent: "unknown" | "opted_in" | "opted_out";
    /**
     * @description Where it was said: the person's setting in WhatsApp, their sign-up for your marketing there, a keyword that they wrote, a call of yours, or an import.
     * @enum {string|null}
     */
    consent_source: "preference" | "signup" | "keyword" | "client" | "import" | null;
    /**
     * Format: date-time
     * @description The provider's time of the last message that opened a window.
     */
    last_inbound_at: string | null;
    /** @description The 24-hour windows with your numbers, by the last message of each. */
    windows: {
        /** @example num_01jd0000000000000000000000 */
        phone_number_id: string;
        /** @description Whether free-form messages can be sent now. */
        open: boolean;
        /** Format: date-time */
        expires_at: string;
    }[];
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
};
/** @description With `sort=updated_at`: there is no contact of this id any more, because it was erased or merged into another. */
export type GoneContact = {
    /** @example con_01jd0000000000000000000000 */
    id: string;
    /** @constant */
    deleted: true;
};
export type TagList = {
    data: {
        name: string;
        count: number;
    }[];
    /** @description False in very large workspaces: the 200,000 newest contacts were counted, or there are more than 1,000 names. */
    complete: boolean;
};
export type ContactBatchResult = {
    /** @description One entry for each contact, in the order of the request. */
    data: {
        /** @description The place in the request, from 0. */
        index: number;
        /** @enum {string} */
        outcome?: "created" | "updated" | "unchanged";
        contact?: Contact;
        error?: Problem;
    }[];
};
export type Segment = {
    /** @example seg_01jd0000000000000000000000 */
    id: string;
    name: string;
    /**
     * @description Whom the segment has: `{"all": […]}`, `{"any": […]}`, `{"not": {…}}` or `{"field", "op", "value"}`, in each other up to 8 levels deep and 100 in all.
     *
     *     | Field | Operators |
     *     | --- | --- |
     *     | `tags` | `contains`, `not_contains` (one tag), `in` (any of them), `exists` |
     *     | `attributes.<name>` | `eq`, `ne`, `in`, `contains`, `not_contains`, `exists`, `gt`, `gte`, `lt`, `lte` |
     *     | `name`, `email`, `locale`, `phone` | `eq`, `ne`, `in`, `contains`, `not_contains`, `exists` |
     *     | `marketing_consent` | `eq`, `ne`, `in` |
     *     | `last_inbound_at`, `created_at` | `gt`, `gte`, `lt`, `lte`, `within_last`; of the first also `exists` |
     *
     *     `eq` and `in` (up to 100 values) compare exactly, of `phone` any form of the number; `contains` is a part of the text, whatever its case and accents. An attribute is compared with its like: a text is never more or less than a number; texts are ordered by their characters' code points. `exists` takes true or false, `within_last` a duration of weeks, days, hours, minutes or seconds such as `P7D` or `PT36H`. A contact without the field fits `ne`, `not_contains` and `exists` false, and nothing else; `not` has exactly those whom its node has not.
     * @example {
     *       "all": [
     *         {
     *           "field": "tags",
     *           "op": "contains",
     *           "value": "vip"
     *         },
     *         {
     *           "any": [
     *             {
     *               "field": "attributes.city",
     *               "op": "eq",
     *               "value": "Recife"
     *             },
     *             {
     *               "field": "locale",
     *               "op": "in",
     *               "value": [
     *                 "pt_BR"
     *               ]
     *             }
     *           ]
     *         },
     *         {
     *           "not": {
     *             "field": "last_inbound_at",
     *             "op": "within_last",
     *             "value": "P7D"
     *           }
     *         }
     *       ]
     *     }
     */
    filter: {
        [key: string]: unknown;
    };
    /** @description The contacts that fit, counted for this response. Where that takes longer than half a second, as last counted in the background; null before that. */
    count: number | null;
    /**
     * Format: date-time
     * @description When it was counted.
     */
    counted_at: string | null;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
};
export type SegmentPreview = {
    /** @description The contacts that fit; null where counting them takes longer than half a second. */
    count: number | null;
    /** @description The newest of them, up to ten; fewer where few of very many fit. */
    data: Contact[];
};
export type OwnWorkspace = {
    /** @example ws_01jd0000000000000000000000 */
    id: string;
    /** @description The name of the workspace. */
    name: string;
    /** @description The status: active or suspended. */
    status: string;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
    /** @description The calling key; null in a session of the operator. */
    api_key: ApiKey | null;
    limits: {
        /** @description The limit of requests per second; null if there is none. */
        requests_per_second: number | null;
    };
    /** @description Messages that stop marketing, by language: yours, or the defaults. */
    opt_out_keywords: {
        [key: string]: string[];
    };
    /** @description Messages that allow marketing, by language: yours, or the defaults, which only end an opt-out. */
    opt_in_keywords: {
        [key: string]: string[];
    };
};
export type ApiKey = {
    /** @example key_01jd0000000000000000000000 */
    id: string;
    /** @description The name that you gave the key. */
    name: string;
    /** @description The first characters after `wp_live_`, to recognise the key. */
    hint: string;
    /** @description The scopes of the key; `*` is all of them. */
    scopes: string[];
    /** @description The phone numbers to which the key is limited; null if it is for all of the workspace. */
    phone_number_ids: string[] | null;
    /**
     * @description The field whose value is the idempotency key of a request to the Cloud API front that brings none; null if there is none.
     * @enum {string|null}
     */
    dedupe_by: "biz_opaque_callback_data" | null;
    /**
     * Format: date-time
     * @description When the key expires; null if it does not.
     */
    expires_at: string | null;
    /**
     * Format: date-time
     * @description When the key was revoked; null if it was not.
     */
    revoked_at: string | null;
    /**
     * @description The key that replaced this one in a rotation.
     * @example key_01jd0000000000000000000000
     */
    replaced_by: string | null;
    /**
     * Format: date-time
     * @description When the key was last used, accurate to about a minute.
     */
    last_used_at: string | null;
    /** Format: date-time */
    created_at: string;
};
export type Workspace = {
    /** @example ws_01jd0000000000000000000000 */
    id: string;
    /** @description The name of the workspace. */
    name: string;
    /** @description The status: active or suspended. */
    status: string;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
};
export type NewApiKey = {
    /** @example key_01jd0000000000000000000000 */
    id: string;
    /** @description The name that you gave the key. */
    name: string;
    /** @description The first characters after `wp_live_`, to recognise the key. */
    hint: string;
    /** @description The scopes of the key; `*` is all of them. */
    scopes: string[];
    /** @description The phone numbers to which the key is limited; null if it is for all of the workspace. */
    phone_number_ids: string[] | null;
    /**
     * @description The field whose value is the idempotency key of a request to the Cloud API front that brings none; null if there is none.
     * @enum {string|null}
     */
    dedupe_by: "biz_opaque_callback_data" | null;
    /**
     * Format: date-time
     * @description When the key expires; null if it does not.
     */
    expires_at: string | null;
    /**
     * Format: date-time
     * @description When the key was revoked; null if it was not.
     */
    revoked_at: string | null;
    /**
     * @description The key that replaced this one in a rotation.
     * @example key_01jd0000000000000000000000
     */
    replaced_by: string | null;
    /**
     * Format: date-time
     * @description When the key was last used, accurate to about a minute.
     */
    last_used_at: string | null;
    /** Format: date-time */
    created_at: string;
    /** @description The text of the key, returned only in this response. */
    key: string;
};
export type AuditActivity = {
    /** @example aud_01jd0000000000000000000000 */
    id: string;
    /** Format: date-time */
    at: string;
    actor: {
        /** @description The type of the actor: api_key, operator, setup_link, system or anonymous. */
        type: string;
        id: string | null;
        name: string | null;
    };
    /** @example message.create */
    action: string;
    resource: {
        type: string | null;
        id: string | null;
    };
    request: {
        method: string | null;
        path: string | null;
        request_id: string | null;
        /** @description Id of the console's session by which the call came; null if it came with a key. */
        session: string | null;
        ip: string | null;
        user_agent: string | null;
    };
    response: {
        status: number | null;
        /** @description The error code; null if the call succeeded. */
        code: string | null;
    };
    /** @description What the call changed, without secrets; its fields depend on the action. Null if nothing changed. */
    changes: {
        [key: string]: unknown;
    } | null;
};
export type Usage = {
    data: UsageEntry[];
};
export type UsageEntry = {
    /**
     * @description In UTC: the day on which the message was accepted or arrived.
     * @example 2026-01-31
     */
    day: string;
    /** @enum {string} */
    direction: "outbound" | "inbound";
    /** @description The status that the messages have now; `queued` also stands for those that are being sent. */
    status: string;
    /** @description The category that the provider charges by, once it has reported one, with underscores (`authentication_international`); else that of the template, null for other types. */
    category: string | null;
    /** @example num_01jd0000000000000000000000 */
    phone_number_id: string;
    /** @description The number of messages. */
    count: number;
    /** @description How many of them the provider reports as charged: those whose price has the type `regular`, but for the exempt ones of eligible organisations; without a type, those that it calls `billable`. Only what is delivered is charged. */
    billable: number;
    /** @description Null as long as no price list is set. */
    cost: {
        amount: string;
        currency: string;
    } | null;
};
export type MessageMetrics = {
    data: MessageMetric[];
};
/** @description What happened in an interval, which begins at `at` in UTC. */
export type MessageMetric = {
    /** Format: date-time */
    at: string;
    /**
     * @description The status that the messages came to; `received` are inbound ones. With this `group_by` alone.
     * @enum {string}
     */
    status?: "scheduled" | "queued" | "sending" | "accepted" | "sent" | "delivered" | "read" | "failed" | "canceled" | "expired" | "unknown" | "received";
    /** @description The category of the template; null for other types. With this `group_by` alone. */
    category?: string | null;
    /** @description The name of the template; null for other types. With this `group_by` alone. */
    template?: string | null;
    /**
     * @description The phone number that sent or received them. With this `group_by` alone.
     * @example num_01jd0000000000000000000000
     */
    phone_number_id?: string;
    /** @description The code of `error`. With this `group_by` alone. */
    error_code?: string | null;
    /** @description By `status`, the messages that came to it in the interval; by `error_code`, those that failed or expired in it; else those that were received, or of which a first outcome was known. */
    count: number;
    /** @description Milliseconds that half of them took at most, to within 5 %: from `accepted` to `delivered`, of those that were delivered in the interval. Null where none did. */
    p50_ms: number | null;
    /** @description The same of 95 %. */
    p95_ms: number | null;
};
export type DeliveryMetrics = {
    data: DeliveryMetric[];
};
/** @description Attempts in an interval, which begins at `at` in UTC. */
export type DeliveryMetric = {
    /** Format: date-time */
    at: string;
    /**
     * @description How the attempts ended. With this `group_by` alone.
     * @enum {string}
     */
    status?: "succeeded" | "failed";
    /**
     * @description The endpoint that was called. With this `group_by` alone.
     * @example whe_01jd0000000000000000000000
     */
    webhook_endpoint_id?: string;
    /** @description Attempts that began in the interval. */
    count: number;
    /** @description Milliseconds that half of them took at most, to within 5 %: how long the attempts took. Null where none did. */
    p50_ms: number | null;
    /** @description The same of 95 %. */
    p95_ms: number | null;
};
export type QuarantinedChange = {
    /** @example qrn_01jd0000000000000000000000 */
    id: string;
    /**
     * @description Why the change is quarantined: `failed` (applying it failed; replayed automatically), `unowned` (its phone number or account is not connected; replayed when it is connected), `missing` (the raw callback is no longer stored), `not_json`, `status of an inbound message`, `unknown field`, or another description of what is not understood.
     * @example failed
     */
    reason: string;
    /** @description For `failed`: the SQLSTATE with table and constraint, or the name of the error. */
    detail: string | null;
    /** @description The provider's id of the phone number, if the change names one. */
    provider_phone_number_id: string | null;
    /** @description The provider's id of the account, if the change names one. */
    provider_account_id: string | null;
    /** @description The number of replays that failed. */
    replays: number;
    /**
     * Format: date-time
     * @description When the change is replayed automatically.
     */
    next_replay_at: string | null;
    /** Format: date-time */
    created_at: string;
    /**
     * Format: date-time
     * @description When the change was put back into the queue; null if it was not replayed yet.
     */
    replayed_at: string | null;
};
export type QuarantinedCallback = {
    /** @example qrn_01jd0000000000000000000000 */
    id: string;
    /**
     * @description Why the change is quarantined: `failed` (applying it failed; replayed automatically), `unowned` (its phone number or account is not connected; replayed when it is connected), `missing` (the raw callback is no longer stored), `not_json`, `status of an inbound message`, `unknown field`, or another description of what is not understood.
     * @example failed
     */
    reason: string;
    /** @description For `failed`: the SQLSTATE with table and constraint, or the name of the error. */
    detail: string | null;
    /** @description The provider's id of the phone number, if the change names one. */
    provider_phone_number_id: string | null;
    /** @description The provider's id of the account, if the change names one. */
    provider_account_id: string | null;
    /** @description The number of replays that failed. */
    replays: number;
    /**
     * Format: date-time
     * @description When the change is replayed automatically.
     */
    next_replay_at: string | null;
    /** Format: date-time */
    created_at: string;
    /**
     * Format: date-time
     * @description When the change was put back into the queue; null if it was not replayed yet.
     */
    replayed_at: string | null;
    /** @description The part of the callback that is not understood. Null where that is not the reason. */
    change: {
        [key: string]: unknown;
    } | unknown[] | string | number | boolean | null;
    /** @description The callback, as the provider posted it. Null once it is no longer kept. */
    callback: {
        /**
         * Format: date-time
         * @description When it was stored.
         */
        received_at: string;
        /**
         * @description How `body` is written: bytes that are not UTF-8 are in base64.
         * @enum {string}
         */
        encoding: "utf-8" | "base64";
        /** @description The body that was posted, byte for byte. It need not be JSON. */
        body: string;
    } | null;
};
export type QuarantineReplayed = {
    /** @description The number of changes that this call put back into the queue. */
    replayed: number;
    /** @description Whether more changes with this reason may be left; if so, call again. */
    has_more: boolean;
};
export type System = {
    /** @description Of the process that answers. */
    version: string;
    /** @description Those that are alive, at most 200. */
    processes: {
        /** @description The process's own id, as in its log. */
        id: string;
        roles: ("api" | "ingress" | "dispatch" | "deliver" | "maintenance")[];
        version: string;
        /** @description How many of the slots of each kind of work the process has. */
        slots: {
            dispatch: number;
            deliver: number;
            ingest: number;
            task: number;
            redeliver: number;
            fetch: number;
        };
        /**
         * Format: date-time
         * @description When others take over its slots, unless it says before that it is alive.
         */
        lease_expires_at: string;
    }[];
    queues: {
        /** @enum {string} */
        kind: "dispatch" | "deliver" | "ingest" | "task" | "redeliver" | "fetch";
        /** @description As the statistics of the database estimate them, work for later included. */
        rows: number;
        slots: number;
        /** @description Work of a slot that no process has stands still. */
        slots_owned: number;
        /**
         * Format: date-time
         * @description Since when the oldest work could have started, among the first lanes of each slot; of `redeliver` perhaps since its first delivery. Null where nothing is due.
         */
        oldest_due_at: string | null;
    }[];
    database: {
        version: string;
        /** @description Null where it took too long to find out. */
        size_bytes: number | null;
    };
    migrations: {
        applied: number;
        latest: string | null;
        /** @description Those of this version that the database does not have. */
        pending: string[];
    };
};
/** @description `messages`: A person has written. What this version does not model has `type: "unsupported"` and the raw content. `standby_messages`: A person has written in a conversation that another responder answers. */
export type InboundMessageEvent = {
    /**
     * @description Stays the same over all attempts and replays: use it to do nothing twice.
     * @example evt_01jd0000000000000000000000
     */
    id: string;
    /** @enum {string} */
    kind: "messages" | "standby_messages";
    /** @constant */
    category: "inbound_message";
    /** @example ws_01jd0000000000000000000000 */
    workspace_id: string;
    /** Format: date-time */
    created_at: string;
    /** @description The order of events within a conversation: a later one has a larger number. Gaps have no meaning. */
    sequence: number;
    data: {
        /** @description The message; null once it is no longer kept. */
        message: Message | null;
        /** @description Who wrote; null once the person was erased. */
        contact: ContactSnapshot | null;
    };
    /** @description True where the body would be larger than 256 KiB: `data` has ids, states and what else is short, without the content. */
    truncated?: boolean;
};
/** @description A contact without what changes with each message. */
export type ContactSnapshot = {
    /** @example con_01jd0000000000000000000000 */
    id: string;
    /** @description In E.164 as first seen; null if the person has no visible number. */
    phone: string | null;
    /** @description The number as the provider calls it; messages go to this form. Null until a message is reported as sent, delivered or read, or the person writes; or the answer to a send names another form than was written to. An id of the provider that is no number is shown here too, and cannot be written to. */
    wa_id: string | null;
    /** @description The person's business-scoped user id. */
    user_id: string | null;
    /** @description The user id above it, where portfolios are linked. */
    parent_user_id: string | null;
    username: string | null;
    /** @description The name that the person uses. */
    profile_name: string | null;
    /** @description The name that you use. */
    name: string | null;
    email: string | null;
    /** @description A language tag such as `pt_BR`. */
    locale: string | null;
    /** @description Your own facts, by name. */
    attributes: {
        [key: string]: string | number | boolean;
    };
    /** @description Sorted, each once. */
    tags: string[];
    /**
     * @description Marketing templates to a person who opted out are refused. The person's most recent choice applies.
     * @enum {string}
     */
    marketing_consent: "unknown" | "opted_in" | "opted_out";
    /**
     * @description Where it was said: the person's setting in WhatsApp, their sign-up for your marketing there, a keyword that they wrote, a call of yours, or an import.
     * @enum {string|null}
     */
    consent_source: "preference" | "signup" | "keyword" | "client" | "import" | null;
    /** Format: date-time */
    created_at: string;
    /** Format: date-time */
    updated_at: string;
};
/** @description `accepted`: The provider has accepted the message and given it an id. `sent`: The message is on its way to the person. `delivered`: The message has reached the person's device. `read`: The person has read the message. `played`: The person has played the voice message. `failed`: The message was not and will not be delivered; `error` says why. `unknown`: The provider's answer was lost: whether the message was sent is not known yet. With `settled: false` nothing has shown it in ten minutes. `canceled`: You have canceled the message before it was sent. `expired`: The message was not sent by its `expires_at`. `message_deleted`: The message was deleted; `data.status` is `deleted`. `warning`: The provider has something to say of a message that goes on; its status stays. */
export type MessageStatusEvent = {
    /**
     * @description Stays the same over all attempts and replays: use it to do nothing twice.
     * @example evt_01jd0000000000000000000000
     */
    id: string;
    /** @enum {string} */
    kind: "accepted" | "sent" | "delivered" | "read" | "played" | "failed" | "unknown" | "canceled" | "expired" | "message_deleted" | "warning";
    /** @constant */
    category: "message_status";
    /** @example ws_01jd0000000000000000000000 */
    workspace_id: string;
    /** Format: date-time */
    created_at: string;
    /** @description The order of events within a conversation: a later one has a larger number. Gaps have no meaning. */
    sequence: number;
    data: {
        /** @description The message as it was at that commit: its status is the highest that was ever reported. Null once it is no longer kept. */
        message: Message | null;
        /** @description What was reported: the kind of the event, or `deleted`. */
        status: string;
        /** Format: date-time */
        occurred_at: string;
        error: MessageError | null;
        /**
         * @description Of the second `unknown` of a message: nothing has settled it.
         * @constant
         */
        settled?: false;
    };
    /** @description True where the body would be larger than 256 KiB: `data` has ids, states and what else is short, without the content. */
    truncated?: boolean;
};
/** @description `payment_updated`: The state of a payment that a message asked for has changed. */
export type PaymentEvent = {
    /**
     * @description Stays the same over all attempts and replays: use it to do nothing twice.
     * @example evt_01jd0000000000000000000000
     */
    id: string;
    /** @enum {string} */
    kind: "payment_updated";
    /** @constant */
    category: "message_status";
    /** @example ws_01jd0000000000000000000000 */
    workspace_id: string;
    /** Format: date-time */
    created_at: string;
    /** @description The order of events within a conversation: a later one has a larger number. Gaps have no meaning. */
    sequence: number;
    data: {
        /** @description The message; null once it is no longer kept. */
        message: Message | null;
        payment: {
            /** @description What you call the payment; null once the person was erased. */
            reference: string | null;
            /** @description As the provider says it, in lower case: `captured`, `pending`, `failed`. */
            status: string | null;
        };
    };
    /** @description True where the body would be larger than 256 KiB: `data` has ids, states and what else is short, without the content. */
    truncated?: boolean;
};
/** @description `media_available`: A file that a person sent is here: its content can be read. `media_failed`: A file could not be had from the provider, or was not clean; `data.media.error` says why. */
export type MediaEvent = {
    /**
     * @description Stays the same over all attempts and replays: use it to do nothing twice.
     * @example evt_01jd0000000000000000000000
     */
    id: string;
    /** @enum {string} */
    kind: "media_available" | "media_failed";
    /** @constant */
    category: "media";
    /** @example ws_01jd0000000000000000000000 */
    workspace_id: string;
    /** Format: date-time */
    created_at: string;
    /** @description The order of events within a conversation: a later one has a larger number. Gaps have no meaning. */
    sequence: number;
    data: {
        /** @description As it was then; null once the person was erased. */
        media: Media | null;
        /**
         * @description The message that it came in; null of an upload.
         * @example msg_01jd0000000000000000000000
         */
        message_id: string | null;
        /**
         * @description Who sent it; null of an upload.
         * @example con_01jd0000000000000000000000
         */
        contact_id: string | null;
    };
    /** @description True where the body would be larger than 256 KiB: `data` has ids, states and what else is short, without the content. */
    truncated?: boolean;
};
/** @description `pending`: The provider reviews the template. `approved`: The template can be sent. `rejected`: The provider has rejected the template; `reason` says why. `paused`: The provider has paused the template for its quality. `disabled`: The provider has disabled the template. `in_appeal`: The rejection of the template is being appealed. `flagged`: The quality of the template is low; it may be paused. `limit_exceeded`: The account has more templates than the provider allows. `locked`: The template cannot be edited for now. `pending_deletion`: The template is being deleted. `deleted`: The template is gone. `archived`: The provider has archived the template, which was not used for long. */
export type TemplateStatusEvent = {
    /**
     * @description Stays the same over all attempts and replays: use it to do nothing twice.
     * @example evt_01jd0000000000000000000000
     */
    id: string;
    /** @enum {string} */
    kind: "pending" | "approved" | "rejected" | "paused" | "disabled" | "in_appeal" | "flagged" | "limit_exceeded" | "locked" | "pending_deletion" | "deleted" | "archived";
    /** @constant */
    category: "template_status";
    /** @example ws_01jd0000000000000000000000 */
    workspace_id: string;
    /** Format: date-time */
    created_at: string;
    /** @description The order of events within a conversation: a later one has a larger number. Gaps have no meaning. */
    sequence: number;
    data: {
        template: Template;
        /** @description Null for a template that is new here. */
        previous_status: string | null;
        /** @description The provider's reason. */
        reason: string | null;
        /** @description What else the provider says of a pause, a rejection or an end, as it gave it. */
        detail: {
            [key: string]: unknown;
        } | null;
    };
    /** @description True where the body would be larger than 256 KiB: `data` has ids, states and what else is short, without the content. */
    truncated?: boolean;
};
/** @description `template_quality_changed`: The provider rates the quality of the template differently. `template_category_changed`: The category of the template changes, or has changed. `template_components_changed`: The content of the template has changed. */
export type TemplateEvent = {
    /**
     * @description Stays the same over all attempts and replays: use it to do nothing twice.
     * @example evt_01jd0000000000000000000000
     */
    id: string;
    /** @enum {string} */
    kind: "template_quality_changed" | "template_category_changed" | "template_components_changed";
    /** @constant */
    category: "template";
    /** @example ws_01jd0000000000000000000000 */
    workspace_id: string;
    /** Format: date-time */
    created_at: string;
    /** @description The order of events within a conversation: a later one has a larger number. Gaps have no meaning. */
    sequence: number;
    data: {
        template: Template;
        previous: string | {
            [key: string]: unknown;
        }[];
        current: string | {
            [key: string]: unknown;
        }[];
        /**
         * Format: date-time
         * @description When a category changes; null: it has changed.
         */
        effective_at?: string | null;
    };
    /** @description True where the body would be larger than 256 KiB: `data` has ids, states and what else is short, without the content. */
    truncated?: boolean;
};
/** @description `endpoint_failing`: An endpoint has only failed for a while; it will be disabled if that goes on. `endpoint_disabled`: An endpoint was disabled; what happens meanwhile is parked. `endpoint_test`: You have asked for a test of the endpoint. Sent to it alone, whatever it listens to. */
export type OperationalEvent = {
    /**
     * @description Stays the same over all attempts and replays: use it to do nothing twice.
     * @example evt_01jd0000000000000000000000
     */
    id: string;
    /** @enum {string} */
    kind: "endpoint_failing" | "endpoint_disabled" | "endpoint_test";
    /** @constant */
    category: "operational";
    /** @example ws_01jd0000000000000000000000 */
    workspace_id: string;
    /** Format: date-time */
    created_at: string;
    /** @description The order of events within a conversation: a later one has a larger number. Gaps have no meaning. */
    sequence: number;
    data: {
        /** @description The endpoint as it was then. */
        webhook_endpoint: WebhookEndpoint | null;
        /** @description Such as `failing_for_1_hour`, or the `disabled_reason` of the endpoint; null in a test. */
        reason: string | null;
    };
    /** @description True where the body would be larger than 256 KiB: `data` has ids, states and what else is short, without the content. */
    truncated?: boolean;
};
/** @description `permissions_changed`: What your app may do with the account has changed at the provider. `signup_completed`: The account is connected. `signup_revoked`: The account is no longer connected; once for each connection. `account_changed`: The provider has restricted, banned, reviewed or warned of the account, or lifted it. */
export type AccountEvent = {
    /**
     * @description Stays the same over all attempts and replays: use it to do nothing twice.
     * @example evt_01jd0000000000000000000000
     */
    id: string;
    /** @enum {string} */
    kind: "permissions_changed" | "signup_completed" | "signup_revoked" | "account_changed";
    /** @constant */
    category: "account";
    /** @example ws_01jd0000000000000000000000 */
    workspace_id: string;
    /** Format: date-time */
    created_at: string;
    /** @description The order of events within a conversation: a later one has a larger number. Gaps have no meaning. */
    sequence: number;
    data: {
        business_account: BusinessAccount;
        /** @description The provider's name of what happened; null where it did not report it. */
        provider_event?: string | null;
        /** @description Why, in a sentence. */
        reason?: string | null;
        /** @description What the provider said; a sentence where the gateway noticed it by itself. */
        detail?: {
            [key: string]: unknown;
        } | string | null;
        /**
         * @description Present where it is about one of the account's phone numbers.
         * @example num_01jd0000000000000000000000
         */
        phone_number_id?: string;
    };
    /** @description True where the body would be larger than 256 KiB: `data` has ids, states and what else is short, without the content. */
    truncated?: boolean;
};
/** @description `phone_number_changed`: The quality, limit, throughput, name or status of a phone number has changed. */
export type PhoneNumberEvent = {
    /**
     * @description Stays the same over all attempts and replays: use it to do nothing twice.
     * @example evt_01jd0000000000000000000000
     */
    id: string;
    /** @enum {string} */
    kind: "phone_number_changed";
    /** @constant */
    category: "account";
    /** @example ws_01jd0000000000000000000000 */
    workspace_id: string;
    /** Format: date-time */
    created_at: string;
    /** @description The order of events within a conversation: a later one has a larger number. Gaps have no meaning. */
    sequence: number;
    data: {
        phone_number: PhoneNumber;
        /** @description What has changed: `quality`, `limit`, `throughput`, `name`. */
        changed: string[];
    };
    /** @description True where the body would be larger than 256 KiB: `data` has ids, states and what else is short, without the content. */
    truncated?: boolean;
};
/** @description `thread_taken`: You, or another responder, answer a conversation from now on. `thread_released`: A conversation has no owner any more; the provider routes the person's next message. */
export type ConversationEvent = {
    /**
     * @description Stays the same over all attempts and replays: use it to do nothing twice.
     * @example evt_01jd0000000000000000000000
     */
    id: string;
    /** @enum {string} */
    kind: "thread_taken" | "thread_released";
    /** @constant */
    category: "conversation";
    /** @example ws_01jd0000000000000000000000 */
    workspace_id: string;
    /** Format: date-time */
    created_at: string;
    /** @description The order of events within a conversation: a later one has a larger number. Gaps have no meaning. */
    sequence: number;
    data: {
        conversation: {
            /**
             * @description Null once the person was erased.
             * @example con_01jd0000000000000000000000
             */
            contact_id: string | null;
            /** @example num_01jd0000000000000000000000 */
            phone_number_id: string | null;
            /** @description Null once the person was erased. */
            contact: {
                /** @example con_01jd0000000000000000000000 */
                id: string;
                /** @description The name that you use, else the one that the person uses. */
                name: string | null;
                /** @description Null if the person has no visible number. */
                phone: string | null;
            } | null;
        };
        /** @description Null where it is not known. */
        previous_owner: {
            /**
             * @description Who answers, where the provider has several responders for the number: you, another one, or neither. Free-form messages to a conversation of another one are refused without `take`.
             * @enum {string}
             */
            role: "self" | "other" | "none";
            /**
             * Format: date-time
             * @description Null where nothing was said of it. Ownership ends a day after the person's last message.
             */
            since: string | null;
        } | null;
        owner: {
            /**
             * @description Who answers, where the provider has several responders for the number: you, another one, or neither. Free-form messages to a conversation of another one are refused without `take`.
             * @enum {string}
             */
            role: "self" | "other" | "none";
            /**
             * Format: date-time
             * @description Null where nothing was said of it. Ownership ends a day after the person's last message.
             */
            since: string | null;
        } | null;
    };
    /** @description True where the body would be larger than 256 KiB: `data` has ids, states and what else is short, without the content. */
    truncated?: boolean;
};
/** @description `contact_created`: A person has become a contact. `contact_updated`: What is known of a person has changed. `contact_merged`: Two contacts turned out to be one person; `merged_contact_id` is the one that is no more. `contact_deleted`: A person was erased; of the contact its id is left. `opted_out`: A person no longer takes marketing. `opted_in`: A person takes marketing. */
export type ContactEvent = {
    /**
     * @description Stays the same over all attempts and replays: use it to do nothing twice.
     * @example evt_01jd0000000000000000000000
     */
    id: string;
    /** @enum {string} */
    kind: "contact_created" | "contact_updated" | "contact_merged" | "contact_deleted" | "opted_out" | "opted_in";
    /** @constant */
    category: "contact";
    /** @example ws_01jd0000000000000000000000 */
    workspace_id: string;
    /** Format: date-time */
    created_at: string;
    /** @description The order of events within a conversation: a later one has a larger number. Gaps have no meaning. */
    sequence: number;
    data: {
        /** @description As it is when the event is rendered, of consent as it was said then. Of one who was erased no more than the id; null where nothing is kept. */
        contact: ContactSnapshot | {
            /** @example con_01jd0000000000000000000000 */
            id: string;
            /** @constant */
            deleted: true;
        } | null;
        /**
         * @description Of `contact_merged`: the contact that was merged into this one.
         * @example con_01jd0000000000000000000000
         */
        merged_contact_id?: string;
        /** @description What led to it, such as `client` (a call of yours), `inbound_message`, `keyword`, `preference` or `import`. */
        source: string | null;
        /** @description What the provider said of a setting in its app, as it gave it. */
        provider_fields?: {
            [key: string]: unknown;
        };
    };
    /** @description True where the body would be larger than 256 KiB: `data` has ids, states and what else is short, without the content. */
    truncated?: boolean;
};
/** @description `call`: Something happened to a call between a person and one of your phone numbers. */
export type CallEvent = {
    /**
     * @description Stays the same over all attempts and replays: use it to do nothing twice.
     * @example evt_01jd0000000000000000000000
     */
    id: string;
    /** @enum {string} */
    kind: "call";
    /** @constant */
    category: "inbound_message";
    /** @example ws_01jd0000000000000000000000 */
    workspace_id: string;
    /** Format: date-time */
    created_at: string;
    /** @description The order of events within a conversation: a later one has a larger number. Gaps have no meaning. */
    sequence: number;
    data: {
        /** @description As the provider reported it; what it did not say is absent. */
        call: {
            /** @description The provider's id of the call. */
            id: string;
            /** @description `connect` or `terminate`, of the call itself. */
            event?: string;
            /** @description `USER_INITIATED` or `BUSINESS_INITIATED`. */
            direction?: string;
            /** @description What became of it, in the provider's words. */
            status?: string;
            /** @description Unix seconds, as the provider gave them. */
            start_time?: string;
            /** @description Unix seconds, as the provider gave them. */
            end_time?: string;
            /** @description Seconds. */
            duration?: number;
            /** @example num_01jd0000000000000000000000 */
            phone_number_id: string;
        } | null;
        /** @description The person; null once erased. */
        contact: ContactSnapshot | null;
    };
    /** @description True where the body would be larger than 256 KiB: `data` has ids, states and what else is short, without the content. */
    truncated?: boolean;
};
export type KnownEvent = InboundMessageEvent | MessageStatusEvent | PaymentEvent | MediaEvent | TemplateStatusEvent | TemplateEvent | OperationalEvent | AccountEvent | PhoneNumberEvent | ConversationEvent | ContactEvent | CallEvent;
export interface components {
    schemas: {
        Problem: Problem;
        SendMessage: SendMessage;
        SendTemplateMessage: SendTemplateMessage;
        MessageTemplate: MessageTemplate;
        TemplateComponent: TemplateComponent;
        TemplateHeader: TemplateHeader;
        TemplateHeaderParameter: TemplateHeaderParameter;
        TextParameter: TextParameter;
        ImageParameter: ImageParameter;
        VideoParameter: VideoParameter;
        GifParameter: GifParameter;
        DocumentParameter: DocumentParameter;
        LocationParameter: LocationParameter;
        ProductParameter: ProductParameter;
        TemplateBody: TemplateBody;
        TemplateBodyParameter: TemplateBodyParameter;
        CurrencyParameter: CurrencyParameter;
        DateTimeParameter: DateTimeParameter;
        TemplateFooter: TemplateFooter;
        TemplateButton: TemplateButton;
        TemplateQuickReplyButton: TemplateQuickReplyButton;
        TemplateButtonParameter: TemplateButtonParameter;
        PayloadParameter: PayloadParameter;
        CouponParameter: CouponParameter;
        TtlParameter: TtlParameter;
        ActionParameter: ActionParameter;
        TemplateUrlButton: TemplateUrlButton;
        TemplateCopyCodeButton: TemplateCopyCodeButton;
        TemplateFlowButton: TemplateFlowButton;
        TemplateCatalogButton: TemplateCatalogButton;
        TemplateMpmButton: TemplateMpmButton;
        TemplateVoiceCallButton: TemplateVoiceCallButton;
        TemplateOffer: TemplateOffer;
        TemplateCarousel: TemplateCarousel;
        TemplateCardComponent: TemplateCardComponent;
        SendTextMessage: SendTextMessage;
        MessageFallback: MessageFallback;
        SendImageMessage: SendImageMessage;
        SendVideoMessage: SendVideoMessage;
        SendAudioMessage: SendAudioMessage;
        SendDocumentMessage: SendDocumentMessage;
        SendStickerMessage: SendStickerMessage;
        SendLocationMessage: SendLocationMessage;
        SendContactsMessage: SendContactsMessage;
        ContactCard: ContactCard;
        SendInteractiveMessage: SendInteractiveMessage;
        Interactive: Interactive;
        InteractiveButton: InteractiveButton;
        InteractiveHeader: InteractiveHeader;
        TextHeader: TextHeader;
        ImageHeader: ImageHeader;
        VideoHeader: VideoHeader;
        DocumentHeader: DocumentHeader;
        InteractiveList: InteractiveList;
        ListHeader: ListHeader;
        InteractiveCtaUrl: InteractiveCtaUrl;
        InteractiveFlow: InteractiveFlow;
        InteractiveProduct: InteractiveProduct;
        InteractiveProductList: InteractiveProductList;
        InteractiveCatalogMessage: InteractiveCatalogMessage;
        InteractiveLocationRequestMessage: InteractiveLocationRequestMessage;
        InteractiveAddressMessage: InteractiveAddressMessage;
        InteractiveVoiceCall: InteractiveVoiceCall;
        InteractiveCallPermissionRequest: InteractiveCallPermissionRequest;
        InteractiveCarousel: InteractiveCarousel;
        InteractiveCard: InteractiveCard;
        CardHeader: CardHeader;
        CardButton: CardButton;
        QuickReply: QuickReply;
        UrlCard: UrlCard;
        InteractiveRequestContactInfo: InteractiveRequestContactInfo;
        SendReactionMessage: SendReactionMessage;
        BatchedMessage: BatchedMessage;
        BatchedTemplateMessage: BatchedTemplateMessage;
        BatchedTextMessage: BatchedTextMessage;
        BatchedImageMessage: BatchedImageMessage;
        BatchedVideoMessage: BatchedVideoMessage;
        BatchedAudioMessage: BatchedAudioMessage;
        BatchedDocumentMessage: BatchedDocumentMessage;
        BatchedStickerMessage: BatchedStickerMessage;
        BatchedLocationMessage: BatchedLocationMessage;
        BatchedContactsMessage: BatchedContactsMessage;
        BatchedInteractiveMessage: BatchedInteractiveMessage;
        BatchedReactionMessage: BatchedReactionMessage;
        MarkRead: MarkRead;
        NewTemplate: NewTemplate;
        TemplateChange: TemplateChange;
        TemplateSync: TemplateSync;
        NewWebhookEndpoint: NewWebhookEndpoint;
        WebhookEndpointChange: WebhookEndpointChange;
        SecretRotation: SecretRotation;
        NewReplay: NewReplay;
        NewBusinessAccount: NewBusinessAccount;
        BusinessAccountChange: BusinessAccountChange;
        PhoneNumberChange: PhoneNumberChange;
        BusinessProfileChange: BusinessProfileChange;
        NewEmbeddedSignup: NewEmbeddedSignup;
        SignupResume: SignupResume;
        SetupLinkInput: SetupLinkInput;
        ControlConversation: ControlConversation;
        NewContact: NewContact;
        ContactChange: ContactChange;
        AddTags: AddTags;
        MergeContact: MergeContact;
        SegmentPreviewInput: SegmentPreviewInput;
        NewSegment: NewSegment;
        SegmentChange: SegmentChange;
        OwnWorkspaceChange: OwnWorkspaceChange;
        WorkspaceInput: WorkspaceInput;
        WorkspaceChange: WorkspaceChange;
        ApiKeyInput: ApiKeyInput;
        RotateApiKeyInput: RotateApiKeyInput;
        QuarantineReplay: QuarantineReplay;
        Message: Message;
        MessageError: MessageError;
        SendBatchResult: SendBatchResult;
        MessageValidation: MessageValidation;
        ListedMessage: ListedMessage;
        MessageWithHistory: MessageWithHistory;
        MessageHistoryEntry: MessageHistoryEntry;
        MessageAtProvider: MessageAtProvider;
        AuditMessage: AuditMessage;
        Media: Media;
        MediaError: MediaError;
        Template: Template;
        TemplateValidation: TemplateValidation;
        TemplateSyncResult: TemplateSyncResult;
        WebhookEndpointWithSecret: WebhookEndpointWithSecret;
        WebhookEndpoint: WebhookEndpoint;
        Delivery: Delivery;
        DeliverySummary: DeliverySummary;
        Replay: Replay;
        Event: Event;
        BusinessAccount: BusinessAccount;
        PhoneNumber: PhoneNumber;
        ServiceAllowance: ServiceAllowance;
        PhoneNumberHealth: PhoneNumberHealth;
        BusinessProfile: BusinessProfile;
        EmbeddedSignup: EmbeddedSignup;
        EmbeddedSignupConfig: EmbeddedSignupConfig;
        NewSetupLink: NewSetupLink;
        SetupLink: SetupLink;
        Conversation: Conversation;
        ContactImport: ContactImport;
        ContactImportError: ContactImportError;
        Contact: Contact;
        GoneContact: GoneContact;
        TagList: TagList;
        ContactBatchResult: ContactBatchResult;
        Segment: Segment;
        SegmentPreview: SegmentPreview;
        OwnWorkspace: OwnWorkspace;
        ApiKey: ApiKey;
        Workspace: Workspace;
        NewApiKey: NewApiKey;
        AuditActivity: AuditActivity;
        Usage: Usage;
        UsageEntry: UsageEntry;
        MessageMetrics: MessageMetrics;
        MessageMetric: MessageMetric;
        DeliveryMetrics: DeliveryMetrics;
        DeliveryMetric: DeliveryMetric;
        QuarantinedChange: QuarantinedChange;
        QuarantinedCallback: QuarantinedCallback;
        QuarantineReplayed: QuarantineReplayed;
        System: System;
        InboundMessageEvent: InboundMessageEvent;
        ContactSnapshot: ContactSnapshot;
        MessageStatusEvent: MessageStatusEvent;
        PaymentEvent: PaymentEvent;
        MediaEvent: MediaEvent;
        TemplateStatusEvent: TemplateStatusEvent;
        TemplateEvent: TemplateEvent;
        OperationalEvent: OperationalEvent;
        AccountEvent: AccountEvent;
        PhoneNumberEvent: PhoneNumberEvent;
        ConversationEvent: ConversationEvent;
        ContactEvent: ContactEvent;
        CallEvent: CallEvent;
    };
    responses: {
        /** @description `conflict`: The resource is in a state that does not allow this. */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /**
         * @description `conflict`: The resource is in a state that does not allow this.
         *
         *     `idempotency_in_progress`: The first request with this idempotency key is still running.
         *
         *     `idempotency_key_expired`: The idempotency key was used and its response is no longer stored.
         */
        ConflictOrIdempotencyConflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /**
         * @description `conflict`: The resource is in a state that does not allow this.
         *
         *     `idempotency_in_progress`: The first request with this idempotency key is still running.
         *
         *     `idempotency_key_expired`: The idempotency key was used and its response is no longer stored.
         */
        ConflictOrIdempotencyConflictUnlimited: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /**
         * @description `contact_exists`: A contact with this phone number exists.
         *
         *     `idempotency_in_progress`: The first request with this idempotency key is still running.
         *
         *     `idempotency_key_expired`: The idempotency key was used and its response is no longer stored.
         */
        ContactExistsOrIdempotencyConflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /** @description Received. Anything else, or nothing in time, is tried again. */
        DeliveryReceived: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The endpoint is gone: it is disabled at once. */
        EndpointGone: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description `forbidden`: The API key lacks a scope. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /**
         * @description `idempotency_in_progress`: The first request with this idempotency key is still running.
         *
         *     `idempotency_key_expired`: The idempotency key was used and its response is no longer stored.
         */
        IdempotencyConflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /**
         * @description `idempotency_in_progress`: The first request with this idempotency key is still running.
         *
         *     `idempotency_key_expired`: The idempotency key was used and its response is no longer stored.
         */
        IdempotencyConflictUnlimited: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /** @description `idempotency_key_reused`: The idempotency key was used for a different request. */
        IdempotencyKeyReused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /** @description `idempotency_key_reused`: The idempotency key was used for a different request. */
        IdempotencyKeyReusedUnlimited: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /** @description `internal`: Internal error. */
        Internal: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /** @description `internal`: Internal error. */
        InternalUnlimited: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /**
         * @description `invalid_phone_number`: The phone number is not valid.
         *
         *     `idempotency_key_reused`: The idempotency key was used for a different request.
         */
        InvalidPhoneNumberOrIdempotencyKeyReused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /** @description `invalid_request`: The request is not valid. */
        InvalidRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /**
         * @description `invalid_request`: The request is not valid.
         *
         *     `invalid_json`: The body is not valid JSON.
         */
        InvalidRequestOrInvalidJson: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /**
         * @description `invalid_request`: The request is not valid.
         *
         *     `invalid_json`: The body is not valid JSON.
         */
        InvalidRequestOrInvalidJsonUnlimited: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /** @description `invalid_request`: The request is not valid. */
        InvalidRequestUnlimited: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /**
         * @description `messaging_limit_reached`: The portfolio's messaging limit is reached.
         *
         *     `queue_full`: Too many messages are queued for this number.
         *
         *     `rate_limited`: Too many requests.
         */
        MessagingLimitReachedOrQueueFullOrRateLimited: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /** @description `not_found`: The resource does not exist. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /** @description `not_found`: The resource does not exist. */
        NotFoundUnlimited: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /** @description `payload_too_large`: The body is too large. */
        PayloadTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /** @description `payload_too_large`: The body is too large. */
        PayloadTooLargeUnlimited: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /** @description `precondition_failed`: The resource has changed. */
        PreconditionFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /**
         * @description `provider_rejected`: The provider refused the request.
         *
         *     `idempotency_key_reused`: The idempotency key was used for a different request.
         */
        ProviderRejectedOrIdempotencyKeyReused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /**
         * @description `provider_rejected`: The provider refused the request.
         *
         *     `sender_unavailable`: No phone number is available to send from.
         */
        ProviderRejectedOrSenderUnavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /** @description `provider_unavailable`: The provider could not be reached. */
        ProviderUnavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /** @description `rate_limited`: Too many requests. */
        RateLimited: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /**
         * @description `reference_not_found`: A referenced resource does not exist.
         *
         *     `endpoint_unverified`: The URL did not answer the verification request.
         */
        ReferenceNotFoundOrEndpointUnverified: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /**
         * @description `reference_not_found`: A referenced resource does not exist.
         *
         *     `endpoint_unverified`: The URL did not answer the verification request.
         *
         *     `idempotency_key_reused`: The idempotency key was used for a different request.
         */
        ReferenceNotFoundOrEndpointUnverifiedOrIdempotencyKeyReused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /**
         * @description `reference_not_found`: A referenced resource does not exist.
         *
         *     `idempotency_key_reused`: The idempotency key was used for a different request.
         */
        ReferenceNotFoundOrIdempotencyKeyReused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /**
         * @description `sender_unavailable`: No phone number is available to send from.
         *
         *     `provider_rejected`: The provider refused the request.
         */
        SenderUnavailableOrProviderRejected: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /** @description `unauthorized`: The API key is missing or not valid. */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /** @description `unavailable`: Temporarily unavailable; nothing was done. */
        Unavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /** @description `unavailable`: Temporarily unavailable; nothing was done. */
        UnavailableUnlimited: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /** @description `unsupported_media_type`: The content type is not supported. */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
        /** @description `unsupported_media_type`: The content type is not supported. */
        UnsupportedMediaTypeUnlimited: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Problem;
            };
        };
    };
    parameters: {
        /** @description A unique key for this request, 1 to 255 visible ASCII characters. A repeat with the same key within 7 days returns the first response instead of running again. `Idempotency-Key` is accepted too. */
        IdempotencyKey: string;
        /** @description The `ETag` of the version to change. The request fails with 412 if the resource has changed since. */
        IfMatch: string;
        /** @description The `ETag` of the file that you have: the answer is 304 while it is this one. */
        IfNoneMatch: string;
        /** @description The `ETag` of the file that the part is to be of: without a match the whole is sent. */
        IfRange: string;
        /** @description The `next_cursor` of the previous page; use it with the same filters. */
        PageCursor: string;
        /** @description The number of items in a page. */
        PageLimit: number;
        /** @description `wait=N`, 1 to 30 seconds: respond once the provider has accepted or refused the message, at the latest after that time. */
        Prefer: string;
        /** @description One range of bytes, such as `bytes=0-1023`. For several ranges the whole is sent. */
        Range: string;
        /**
         * @description The number of the attempt, from 1.
         * @example 1
         */
        ServiceAttempt: string;
        /**
         * @description The id of the delivery.
         * @example dlv_01jd0000000000000000000000
         */
        ServiceDelivery: string;
        /**
         * @description The kind of the event.
         * @example delivered
         */
        ServiceEvent: string;
        /**
         * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
         * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
         */
        ServiceSignature: string;
        /**
         * @description The id of the event.
         * @example evt_01jd0000000000000000000000
         */
        WebhookId: string;
        /**
         * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
         * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
         */
        WebhookSignature: string;
        /**
         * @description The time of the attempt in Unix seconds.
         * @example 1769851867
         */
        WebhookTimestamp: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export interface operations {
    "messages.list": {
        parameters: {
            query?: {
                /** @description The number of items in a page. */
                limit?: components["parameters"]["PageLimit"];
                /** @description The `next_cursor` of the previous page; use it with the same filters. */
                cursor?: components["parameters"]["PageCursor"];
                direction?: "outbound" | "inbound";
                status?: "scheduled" | "queued" | "sending" | "accepted" | "sent" | "delivered" | "read" | "failed" | "canceled" | "expired" | "unknown" | "received";
                /** @description The type of the message, such as `template` or `text`. */
                type?: string;
                /** @description The recipient: a person by number in any form, contact id or user id, or one of your numbers. */
                to?: string;
                /** @description The sender: a person by number in any form, contact id or user id, or one of your numbers. */
                from?: string;
                /** @description The id of the person's contact; matches messages in both directions. */
                contact_id?: string;
                /** @description The name of the template that is sent, also as the `fallback` that was used. */
                template?: string;
                /** @description Your own reference, or what a client of the Cloud API gave for one; matches exactly. */
                reference?: string;
                /** @description An id that the provider gave the message; matches exactly. */
                provider_message_id?: string;
                /** @description The `code` of the message's `error`, also of one that arrived nevertheless. */
                error_code?: string;
                /**
                 * @description Only messages created after this time.
                 * @example 2026-01-31T09:30:00Z
                 */
                created_after?: string;
                /**
                 * @description Only messages created before this time.
                 * @example 2026-01-31T09:30:00Z
                 */
                created_before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of results. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "msg_01jd0000000000000000000000",
                     *           "direction": "outbound",
                     *           "status": "read",
                     *           "final": true,
                     *           "to": "+15551230001",
                     *           "from": "+15559990000",
                     *           "phone_number_id": "num_01jd0000000000000000000000",
                     *           "contact_id": "con_01jd0000000000000000000000",
                     *           "type": "template",
                     *           "template": {
                     *             "name": "order_ready",
                     *             "language": {
                     *               "code": "en_US"
                     *             }
                     *           },
                     *           "reply_to": null,
                     *           "reference": null,
                     *           "category": "utility",
                     *           "pricing": {
                     *             "billable": true,
                     *             "pricing_model": "PMP",
                     *             "category": "utility",
                     *             "type": "regular"
                     *           },
                     *           "error": null,
                     *           "provider_message_id": "wamid.HBgLMTU1NTEyMzAwMDEVAgARGBI5QTNDQTVCM0Q0Q0Q2RTY3RTcA",
                     *           "possible_duplicate": false,
                     *           "created_at": "2026-01-31T09:30:00.000Z",
                     *           "estimated_dispatch_at": "2026-01-31T09:30:01.000Z",
                     *           "send_at": null,
                     *           "expires_at": null,
                     *           "accepted_at": "2026-01-31T09:30:00.412Z",
                     *           "sent_at": "2026-01-31T09:30:01.000Z",
                     *           "delivered_at": "2026-01-31T09:30:02.000Z",
                     *           "read_at": "2026-01-31T09:31:07.000Z",
                     *           "failed_at": null,
                     *           "sequence": 17,
                     *           "occurred_at": null,
                     *           "context": null,
                     *           "referral": null,
                     *           "handled_by": "self",
                     *           "preview": "Your order is ready."
                     *         }
                     *       ],
                     *       "next_cursor": "AZQZTgAAcACAAAAAAAAACrH2c_E"
                     *     }
                     */
                    "application/json": {
                        data: ListedMessage[];
                        /**
                         * @description The `cursor` of the next page; null on the last page.
                         * @example AZQZTgAAcACAAAAAAAAACrH2c_E
                         */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "messages.send": {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique key for this request, 1 to 255 visible ASCII characters. A repeat with the same key within 7 days returns the first response instead of running again. `Idempotency-Key` is accepted too. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description `wait=N`, 1 to 30 seconds: respond once the provider has accepted or refused the message, at the latest after that time. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": SendMessage;
            };
        };
        responses: {
            /** @description Accepted: stored, and processed in the background. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Message;
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /**
             * @description `invalid_phone_number`: The phone number is not valid.
             *
             *     `reference_not_found`: A referenced resource does not exist.
             *
             *     `template_not_found`: The sender has no such template.
             *
             *     `template_not_approved`: The template is not approved.
             *
             *     `template_parameters_mismatch`: The parameters do not match the template.
             *
             *     `media_not_found`: The media does not exist.
             *
             *     `window_closed`: The 24-hour window is closed.
             *
             *     `thread_not_owned`: Another responder owns the conversation.
             *
             *     `recipient_opted_out`: The recipient has opted out.
             *
             *     `sender_unavailable`: No phone number is available to send from.
             *
             *     `idempotency_key_reused`: The idempotency key was used for a different request.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem;
                };
            };
            429: components["responses"]["MessagingLimitReachedOrQueueFullOrRateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "messages.sendBatch": {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique key for this request, 1 to 255 visible ASCII characters. A repeat with the same key within 7 days returns the first response instead of running again. `Idempotency-Key` is accepted too. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "messages": [
                 *         {
                 *           "to": "+15551230001",
                 *           "type": "template",
                 *           "template": {
                 *             "name": "order_ready",
                 *             "language": {
                 *               "code": "en_US"
                 *             }
                 *           },
                 *           "idempotency_key": "order-17"
                 *         },
                 *         {
                 *           "to": "+15551230001",
                 *           "type": "text",
                 *           "text": {
                 *             "body": "We are on our way.",
                 *             "preview_url": false
                 *           }
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description Messages of the same person are sent in their order. */
                    messages: BatchedMessage[];
                };
            };
        };
        responses: {
            /** @description Accepted: stored, and processed in the background. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "index": 0,
                     *           "message": {
                     *             "id": "msg_01jd0000000000000000000000",
                     *             "direction": "outbound",
                     *             "status": "queued",
                     *             "final": false,
                     *             "to": "+15551230001",
                     *             "from": "+15559990000",
                     *             "phone_number_id": "num_01jd0000000000000000000000",
                     *             "contact_id": "con_01jd0000000000000000000000",
                     *             "type": "template",
                     *             "template": {
                     *               "name": "order_ready",
                     *               "language": {
                     *                 "code": "en_US"
                     *               }
                     *             },
                     *             "reply_to": null,
                     *             "reference": null,
                     *             "category": "utility",
                     *             "pricing": null,
                     *             "error": null,
                     *             "provider_message_id": null,
                     *             "possible_duplicate": false,
                     *             "created_at": "2026-01-31T09:30:00.000Z",
                     *             "estimated_dispatch_at": "2026-01-31T09:30:01.000Z",
                     *             "send_at": null,
                     *             "expires_at": null,
                     *             "accepted_at": null,
                     *             "sent_at": null,
                     *             "delivered_at": null,
                     *             "read_at": null,
                     *             "failed_at": null,
                     *             "sequence": 17
                     *           }
                     *         },
                     *         {
                     *           "index": 1,
                     *           "error": {
                     *             "type": "/docs/errors/window_closed",
                     *             "title": "The 24-hour window is closed",
                     *             "status": 422,
                     *             "detail": "No message of this person came to this number in the last 24 hours.",
                     *             "code": "window_closed",
                     *             "request_id": "6f1f6d0e-3c5b-4f0e-9a55-1f0f6ab0f2c1",
                     *             "retryable": false
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": SendBatchResult;
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "messages.validate": {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique key for this request, 1 to 255 visible ASCII characters. A repeat with the same key within 7 days returns the first response instead of running again. `Idempotency-Key` is accepted too. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": SendMessage;
            };
        };
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sendable": false,
                     *       "problems": [
                     *         {
                     *           "type": "/docs/errors/window_closed",
                     *           "title": "The 24-hour window is closed",
                     *           "status": 422,
                     *           "detail": "No message of this person came to this number in the last 24 hours.",
                     *           "code": "window_closed",
                     *           "request_id": "6f1f6d0e-3c5b-4f0e-9a55-1f0f6ab0f2c1",
                     *           "retryable": false
                     *         }
                     *       ],
                     *       "window": {
                     *         "phone_number_id": "num_01jd0000000000000000000000",
                     *         "open": false,
                     *         "expires_at": "2026-01-20T09:29:00.000Z"
                     *       },
                     *       "template": null,
                     *       "limits": {
                     *         "messaging": {
                     *           "limit": 2000,
                     *           "used": 417,
                     *           "remaining": 1583,
                     *           "resets_at": "2026-01-31T18:04:00.000Z"
                     *         },
                     *         "queue": {
                     *           "waiting": 10,
                     *           "limit": 288000,
                     *           "estimated_dispatch_at": "2026-01-31T09:30:01.000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": MessageValidation;
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "messages.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example msg_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "msg_01jd0000000000000000000000",
                     *       "direction": "outbound",
                     *       "status": "read",
                     *       "final": true,
                     *       "to": "+15551230001",
                     *       "from": "+15559990000",
                     *       "phone_number_id": "num_01jd0000000000000000000000",
                     *       "contact_id": "con_01jd0000000000000000000000",
                     *       "type": "template",
                     *       "template": {
                     *         "name": "order_ready",
                     *         "language": {
                     *           "code": "en_US"
                     *         }
                     *       },
                     *       "reply_to": null,
                     *       "reference": null,
                     *       "category": "utility",
                     *       "pricing": {
                     *         "billable": true,
                     *         "pricing_model": "PMP",
                     *         "category": "utility",
                     *         "type": "regular"
                     *       },
                     *       "error": null,
                     *       "provider_message_id": "wamid.HBgLMTU1NTEyMzAwMDEVAgARGBI5QTNDQTVCM0Q0Q0Q2RTY3RTcA",
                     *       "possible_duplicate": false,
                     *       "created_at": "2026-01-31T09:30:00.000Z",
                     *       "estimated_dispatch_at": "2026-01-31T09:30:01.000Z",
                     *       "send_at": null,
                     *       "expires_at": null,
                     *       "accepted_at": "2026-01-31T09:30:00.412Z",
                     *       "sent_at": "2026-01-31T09:30:01.000Z",
                     *       "delivered_at": "2026-01-31T09:30:02.000Z",
                     *       "read_at": "2026-01-31T09:31:07.000Z",
                     *       "failed_at": null,
                     *       "sequence": 17,
                     *       "occurred_at": null,
                     *       "context": null,
                     *       "referral": null,
                     *       "handled_by": "self",
                     *       "history": [
                     *         {
                     *           "status": "accepted",
                     *           "at": "2026-01-31T09:30:00.412Z",
                     *           "received_at": "2026-01-31T09:30:00.412Z",
                     *           "error": null
                     *         },
                     *         {
                     *           "status": "sent",
                     *           "at": "2026-01-31T09:30:01.000Z",
                     *           "received_at": "2026-01-31T09:30:01.377Z",
                     *           "error": null
                     *         },
                     *         {
                     *           "status": "delivered",
                     *           "at": "2026-01-31T09:30:02.000Z",
                     *           "received_at": "2026-01-31T09:30:02.291Z",
                     *           "error": null
                     *         },
                     *         {
                     *           "status": "read",
                     *           "at": "2026-01-31T09:31:07.000Z",
                     *           "received_at": "2026-01-31T09:31:07.530Z",
                     *           "error": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": MessageWithHistory;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "messages.cancel": {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique key for this request, 1 to 255 visible ASCII characters. A repeat with the same key within 7 days returns the first response instead of running again. `Idempotency-Key` is accepted too. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example msg_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": MessageWithHistory;
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "messages.markRead": {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique key for this request, 1 to 255 visible ASCII characters. A repeat with the same key within 7 days returns the first response instead of running again. `Idempotency-Key` is accepted too. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example msg_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "typing": true
                 *     }
                 */
                "application/json": MarkRead;
            };
        };
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Message;
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /**
             * @description `thread_not_owned`: Another responder owns the conversation.
             *
             *     `sender_unavailable`: No phone number is available to send from.
             *
             *     `provider_rejected`: The provider refused the request.
             *
             *     `idempotency_key_reused`: The idempotency key was used for a different request.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["ProviderUnavailable"];
            503: components["responses"]["Unavailable"];
        };
    };
    "messages.getProvider": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example msg_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message_id": "msg_01jd0000000000000000000000",
                     *       "request": {
                     *         "method": "POST",
                     *         "path": "/v26.0/106540352242922/messages",
                     *         "body": {
                     *           "messaging_product": "whatsapp",
                     *           "recipient_type": "individual",
                     *           "to": "+15551230001",
                     *           "type": "text",
                     *           "text": {
                     *             "body": "We are on our way."
                     *           }
                     *         }
                     *       },
                     *       "attempts": [
                     *         {
                     *           "attempt": 1,
                     *           "started_at": null,
                     *           "completed_at": "2026-01-31T09:30:00.000Z",
                     *           "outcome": "accepted",
                     *           "provider_message_id": "wamid.HBgLMTU1NTEyMzAwMDE",
                     *           "error": null
                     *         }
                     *       ],
                     *       "reports": [
                     *         {
                     *           "kind": "sent",
                     *           "occurred_at": "2026-01-31T09:30:00.000Z",
                     *           "received_at": "2026-01-31T09:30:01.000Z",
                     *           "callback": {
                     *             "object": "whatsapp_business_account",
                     *             "entry": []
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": MessageAtProvider;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "audit.listMessages": {
        parameters: {
            query?: {
                /** @description The number of items in a page. */
                limit?: components["parameters"]["PageLimit"];
                /** @description The `next_cursor` of the previous page; use it with the same filters. */
                cursor?: components["parameters"]["PageCursor"];
                /** @description Only what happened to this message. */
                message_id?: string;
                /** @description Only messages to this person: a number in any form, a contact id or a user id. */
                to?: string;
                /**
                 * @description Only what happened at this time or later.
                 * @example 2026-01-31T09:30:00Z
                 */
                at_after?: string;
                /**
                 * @description Only what happened before this time.
                 * @example 2026-01-31T09:30:00Z
                 */
                at_before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of results. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "aud_01jd0000000000000000000001",
                     *           "at": "2026-01-31T09:30:01.000Z",
                     *           "message_id": "msg_01jd0000000000000000000000",
                     *           "event": "delivered",
                     *           "actor": {
                     *             "type": "provider",
                     *             "id": null,
                     *             "name": null
                     *           },
                     *           "detail": {
                     *             "occurred_at": "2026-01-31T09:30:00.000Z",
                     *             "error": null
                     *           }
                     *         }
                     *       ],
                     *       "next_cursor": "AZQZTgAAcACAAAAAAAAACrH2c_E"
                     *     }
                     */
                    "application/json": {
                        data: AuditMessage[];
                        /**
                         * @description The `cursor` of the next page; null on the last page.
                         * @example AZQZTgAAcACAAAAAAAAACrH2c_E
                         */
                        next_cursor: string | null;
                    };
                    /** @example id,at,message_id,event,actor_type,actor_id,actor_name,detail */
                    "text/csv": string;
                    /**
                     * @example {
                     *       "id": "aud_01jd0000000000000000000001",
                     *       "at": "2026-01-31T09:30:01.000Z",
                     *       "message_id": "msg_01jd0000000000000000000000",
                     *       "event": "delivered",
                     *       "actor": {
                     *         "type": "provider",
                     *         "id": null,
                     *         "name": null
                     *       },
                     *       "detail": {
                     *         "occurred_at": "2026-01-31T09:30:00.000Z",
                     *         "error": null
                     *       }
                     *     }
                     */
                    "application/x-ndjson": AuditMessage;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "media.list": {
        parameters: {
            query?: {
                /** @description The number of items in a page. */
                limit?: components["parameters"]["PageLimit"];
                /** @description The `next_cursor` of the previous page; use it with the same filters. */
                cursor?: components["parameters"]["PageCursor"];
                /** @description Only uploads, or only what people sent. */
                source?: "upload" | "inbound";
                /** @description Only media in this state. */
                status?: "pending" | "available" | "failed";
                /** @description Only the media that a person sent in this message. */
                message_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of results. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "med_01jd0000000000000000000000",
                     *           "type": "document",
                     *           "mime_type": "application/pdf",
                     *           "size": 48213,
                     *           "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *           "filename": "menu.pdf",
                     *           "status": "available",
                     *           "error": null,
                     *           "source": "upload",
                     *           "message_id": null,
                     *           "content_url": null,
                     *           "content_url_expires_at": null,
                     *           "created_at": "2026-01-31T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "AZQZTgAAcACAAAAAAAAACrH2c_E"
                     *     }
                     */
                    "application/json": {
                        data: Media[];
                        /**
                         * @description The `cursor` of the next page; null on the last page.
                         * @example AZQZTgAAcACAAAAAAAAACrH2c_E
                         */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "media.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique key for this request, 1 to 255 visible ASCII characters. A repeat with the same key within 7 days returns the first response instead of running again. `Idempotency-Key` is accepted too. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "file": "The bytes of the file"
                 *     }
                 */
                "multipart/form-data": {
                    /** @description The file. */
                    file: string;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "med_01jd0000000000000000000000",
                     *       "type": "document",
                     *       "mime_type": "application/pdf",
                     *       "size": 48213,
                     *       "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *       "filename": "menu.pdf",
                     *       "status": "available",
                     *       "error": null,
                     *       "source": "upload",
                     *       "message_id": null,
                     *       "content_url": null,
                     *       "content_url_expires_at": null,
                     *       "created_at": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": Media;
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "media.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example med_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "med_01jd0000000000000000000000",
                     *       "type": "document",
                     *       "mime_type": "application/pdf",
                     *       "size": 48213,
                     *       "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *       "filename": "menu.pdf",
                     *       "status": "available",
                     *       "error": null,
                     *       "source": "upload",
                     *       "message_id": null,
                     *       "content_url": null,
                     *       "content_url_expires_at": null,
                     *       "created_at": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": Media;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "media.delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example med_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. The response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "media.content": {
        parameters: {
            query?: never;
            header?: {
                /** @description One range of bytes, such as `bytes=0-1023`. For several ranges the whole is sent. */
                Range?: components["parameters"]["Range"];
                /** @description The `ETag` of the file that the part is to be of: without a match the whole is sent. */
                "If-Range"?: components["parameters"]["IfRange"];
                /** @description The `ETag` of the file that you have: the answer is 304 while it is this one. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @example med_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example The bytes of the file */
                    "application/octet-stream": string;
                };
            };
            /** @description The part that `Range` asks for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example The bytes of the file */
                    "application/octet-stream": string;
                };
            };
            /** @description The file is the one that `If-None-Match` names. The response has no body. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            /** @description `Range` begins behind the end of the file; `Content-Range` says how long that is. The response has no body. */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "templates.list": {
        parameters: {
            query?: {
                /** @description The number of items in a page. */
                limit?: components["parameters"]["PageLimit"];
                /** @description The `next_cursor` of the previous page; use it with the same filters. */
                cursor?: components["parameters"]["PageCursor"];
                /** @description The name; matches exactly. */
                name?: string;
                status?: "pending" | "approved" | "rejected" | "paused" | "disabled" | "in_appeal" | "flagged" | "limit_exceeded" | "locked" | "pending_deletion" | "deleted" | "archived";
                /** @description The language code; matches exactly. */
                language?: string;
                /** @description The category: utility, marketing or authentication. */
                category?: string;
                /** @description The id of a phone number; only templates that it can send. */
                phone_number_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of results. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "tpl_01jd0000000000000000000000",
                     *           "business_account_id": "acc_01jd0000000000000000000000",
                     *           "provider_template_id": "1689556908129833",
                     *           "name": "order_update",
                     *           "language": {
                     *             "code": "en_US"
                     *           },
                     *           "category": "utility",
                     *           "status": "approved",
                     *           "quality": "green",
                     *           "components": [
                     *             {
                     *               "type": "BODY",
                     *               "text": "Hi {{1}}, your order {{2}} is on its way.",
                     *               "example": {
                     *                 "body_text": [
                     *                   [
                     *                     "Ana",
                     *                     "A17"
                     *                   ]
                     *                 ]
                     *               }
                     *             }
                     *           ],
                     *           "parameter_format": "positional",
                     *           "rejection_reason": null,
                     *           "created_at": "2026-01-31T09:00:00.000Z",
                     *           "updated_at": "2026-01-31T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "AZQZTgAAcACAAAAAAAAACrH2c_E"
                     *     }
                     */
                    "application/json": {
                        data: Template[];
                        /**
                         * @description The `cursor` of the next page; null on the last page.
                         * @example AZQZTgAAcACAAAAAAAAACrH2c_E
                         */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "templates.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique key for this request, 1 to 255 visible ASCII characters. A repeat with the same key within 7 days returns the first response instead of running again. `Idempotency-Key` is accepted too. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "parcel_arrives",
                 *       "language": {
                 *         "code": "en_US"
                 *       },
                 *       "category": "utility",
                 *       "components": [
                 *         {
                 *           "type": "BODY",
                 *           "text": "Hi {{1}}, your parcel {{2}} arrives tomorrow.",
                 *           "example": {
                 *             "body_text": [
                 *               [
                 *                 "Ana",
                 *                 "A17"
                 *               ]
                 *             ]
                 *           }
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": NewTemplate;
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "tpl_01jd0000000000000000000000",
                     *       "business_account_id": "acc_01jd0000000000000000000000",
                     *       "provider_template_id": "1689556908129833",
                     *       "name": "order_update",
                     *       "language": {
                     *         "code": "en_US"
                     *       },
                     *       "category": "utility",
                     *       "status": "approved",
                     *       "quality": "green",
                     *       "components": [
                     *         {
                     *           "type": "BODY",
                     *           "text": "Hi {{1}}, your order {{2}} is on its way.",
                     *           "example": {
                     *             "body_text": [
                     *               [
                     *                 "Ana",
                     *                 "A17"
                     *               ]
                     *             ]
                     *           }
                     *         }
                     *       ],
                     *       "parameter_format": "positional",
                     *       "rejection_reason": null,
                     *       "created_at": "2026-01-31T09:00:00.000Z",
                     *       "updated_at": "2026-01-31T09:00:00.000Z"
                     *     }
                     */
                    "application/json": Template;
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["ConflictOrIdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /**
             * @description `provider_rejected`: The provider refused the request.
             *
             *     `sender_unavailable`: No phone number is available to send from.
             *
             *     `reference_not_found`: A referenced resource does not exist.
             *
             *     `idempotency_key_reused`: The idempotency key was used for a different request.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["ProviderUnavailable"];
            503: components["responses"]["Unavailable"];
        };
    };
    "templates.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example tpl_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "tpl_01jd0000000000000000000000",
                     *       "business_account_id": "acc_01jd0000000000000000000000",
                     *       "provider_template_id": "1689556908129833",
                     *       "name": "order_update",
                     *       "language": {
                     *         "code": "en_US"
                     *       },
                     *       "category": "utility",
                     *       "status": "approved",
                     *       "quality": "green",
                     *       "components": [
                     *         {
                     *           "type": "BODY",
                     *           "text": "Hi {{1}}, your order {{2}} is on its way.",
                     *           "example": {
                     *             "body_text": [
                     *               [
                     *                 "Ana",
                     *                 "A17"
                     *               ]
                     *             ]
                     *           }
                     *         }
                     *       ],
                     *       "parameter_format": "positional",
                     *       "rejection_reason": null,
                     *       "created_at": "2026-01-31T09:00:00.000Z",
                     *       "updated_at": "2026-01-31T09:00:00.000Z"
                     *     }
                     */
                    "application/json": Template;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "templates.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version to change. The request fails with 412 if the resource has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @example tpl_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. The response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ProviderRejectedOrSenderUnavailable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["ProviderUnavailable"];
            503: components["responses"]["Unavailable"];
        };
    };
    "templates.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version to change. The request fails with 412 if the resource has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @example tpl_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "components": [
                 *         {
                 *           "type": "BODY",
                 *           "text": "Your order is ready to be picked up."
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": TemplateChange;
            };
        };
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "tpl_01jd0000000000000000000000",
                     *       "business_account_id": "acc_01jd0000000000000000000000",
                     *       "provider_template_id": "1689556908129833",
                     *       "name": "order_update",
                     *       "language": {
                     *         "code": "en_US"
                     *       },
                     *       "category": "utility",
                     *       "status": "approved",
                     *       "quality": "green",
                     *       "components": [
                     *         {
                     *           "type": "BODY",
                     *           "text": "Hi {{1}}, your order {{2}} is on its way.",
                     *           "example": {
                     *             "body_text": [
                     *               [
                     *                 "Ana",
                     *                 "A17"
                     *               ]
                     *             ]
                     *           }
                     *         }
                     *       ],
                     *       "parameter_format": "positional",
                     *       "rejection_reason": null,
                     *       "created_at": "2026-01-31T09:00:00.000Z",
                     *       "updated_at": "2026-01-31T09:00:00.000Z"
                     *     }
                     */
                    "application/json": Template;
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ProviderRejectedOrSenderUnavailable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["ProviderUnavailable"];
            503: components["responses"]["Unavailable"];
        };
    };
    "templates.validate": {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique key for this request, 1 to 255 visible ASCII characters. A repeat with the same key within 7 days returns the first response instead of running again. `Idempotency-Key` is accepted too. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "parcel_arrives",
                 *       "language": {
                 *         "code": "en_US"
                 *       },
                 *       "category": "utility",
                 *       "components": [
                 *         {
                 *           "type": "BODY",
                 *           "text": "Hi {{1}}, your parcel {{2}} arrives tomorrow.",
                 *           "example": {
                 *             "body_text": [
                 *               [
                 *                 "Ana",
                 *                 "A17"
                 *               ]
                 *             ]
                 *           }
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": NewTemplate;
            };
        };
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "valid": true,
                     *       "problems": []
                     *     }
                     */
                    "application/json": TemplateValidation;
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "templates.sync": {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique key for this request, 1 to 255 visible ASCII characters. A repeat with the same key within 7 days returns the first response instead of running again. `Idempotency-Key` is accepted too. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": TemplateSync;
            };
        };
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "business_account_id": "acc_01jd0000000000000000000000",
                     *           "status": "completed",
                     *           "created": 1,
                     *           "updated": 2,
                     *           "deleted": 0,
                     *           "error": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": TemplateSyncResult;
                };
            };
            /** @description Accepted: stored, and processed in the background. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "business_account_id": "acc_01jd0000000000000000000000",
                     *           "status": "completed",
                     *           "created": 1,
                     *           "updated": 2,
                     *           "deleted": 0,
                     *           "error": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": TemplateSyncResult;
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ReferenceNotFoundOrIdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhookEndpoints.list": {
        parameters: {
            query?: {
                /** @description The number of items in a page. */
                limit?: components["parameters"]["PageLimit"];
                /** @description The `next_cursor` of the previous page; use it with the same filters. */
                cursor?: components["parameters"]["PageCursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of results. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "whe_01jd0000000000000000000000",
                     *           "url": "https://example.com/hooks",
                     *           "format": "waypost",
                     *           "fields": [],
                     *           "events": [
                     *             "messages",
                     *             "delivered",
                     *             "failed"
                     *           ],
                     *           "description": "Shop backend",
                     *           "ordered": false,
                     *           "phone_number_ids": null,
                     *           "business_account_ids": null,
                     *           "headers": [
                     *             "authorization"
                     *           ],
                     *           "timeout_seconds": 15,
                     *           "rate_per_second": null,
                     *           "enabled": true,
                     *           "status": "active",
                     *           "disabled_reason": null,
                     *           "created_at": "2026-01-31T09:00:00.000Z",
                     *           "updated_at": "2026-01-31T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "AZQZTgAAcACAAAAAAAAACrH2c_E"
                     *     }
                     */
                    "application/json": {
                        data: WebhookEndpoint[];
                        /**
                         * @description The `cursor` of the next page; null on the last page.
                         * @example AZQZTgAAcACAAAAAAAAACrH2c_E
                         */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhookEndpoints.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique key for this request, 1 to 255 visible ASCII characters. A repeat with the same key within 7 days returns the first response instead of running again. `Idempotency-Key` is accepted too. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://example.com/hooks",
                 *       "events": [
                 *         "messages",
                 *         "delivered",
                 *         "failed"
                 *       ],
                 *       "description": "Shop backend",
                 *       "headers": {
                 *         "Authorization": "Bearer 2c7e1f"
                 *       }
                 *     }
                 */
                "application/json": NewWebhookEndpoint;
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "whe_01jd0000000000000000000000",
                     *       "url": "https://example.com/hooks",
                     *       "format": "waypost",
                     *       "fields": [],
                     *       "events": [
                     *         "messages",
                     *         "delivered",
                     *         "failed"
                     *       ],
                     *       "description": "Shop backend",
                     *       "ordered": false,
                     *       "phone_number_ids": null,
                     *       "business_account_ids": null,
                     *       "headers": [
                     *         "authorization"
                     *       ],
                     *       "timeout_seconds": 15,
                     *       "rate_per_second": null,
                     *       "enabled": true,
                     *       "status": "active",
                     *       "disabled_reason": null,
                     *       "created_at": "2026-01-31T09:00:00.000Z",
                     *       "updated_at": "2026-01-31T09:00:00.000Z",
                     *       "secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
                     *     }
                     */
                    "application/json": WebhookEndpointWithSecret;
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["ConflictOrIdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ReferenceNotFoundOrEndpointUnverifiedOrIdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhookEndpoints.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example whe_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "whe_01jd0000000000000000000000",
                     *       "url": "https://example.com/hooks",
                     *       "format": "waypost",
                     *       "fields": [],
                     *       "events": [
                     *         "messages",
                     *         "delivered",
                     *         "failed"
                     *       ],
                     *       "description": "Shop backend",
                     *       "ordered": false,
                     *       "phone_number_ids": null,
                     *       "business_account_ids": null,
                     *       "headers": [
                     *         "authorization"
                     *       ],
                     *       "timeout_seconds": 15,
                     *       "rate_per_second": null,
                     *       "enabled": true,
                     *       "status": "active",
                     *       "disabled_reason": null,
                     *       "created_at": "2026-01-31T09:00:00.000Z",
                     *       "updated_at": "2026-01-31T09:00:00.000Z"
                     *     }
                     */
                    "application/json": WebhookEndpoint;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhookEndpoints.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version to change. The request fails with 412 if the resource has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @example whe_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. The response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhookEndpoints.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version to change. The request fails with 412 if the resource has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @example whe_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "events": [
                 *         "*"
                 *       ]
                 *     }
                 */
                "application/json": WebhookEndpointChange;
            };
        };
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "whe_01jd0000000000000000000000",
                     *       "url": "https://example.com/hooks",
                     *       "format": "waypost",
                     *       "fields": [],
                     *       "events": [
                     *         "messages",
                     *         "delivered",
                     *         "failed"
                     *       ],
                     *       "description": "Shop backend",
                     *       "ordered": false,
                     *       "phone_number_ids": null,
                     *       "business_account_ids": null,
                     *       "headers": [
                     *         "authorization"
                     *       ],
                     *       "timeout_seconds": 15,
                     *       "rate_per_second": null,
                     *       "enabled": true,
                     *       "status": "active",
                     *       "disabled_reason": null,
                     *       "created_at": "2026-01-31T09:00:00.000Z",
                     *       "updated_at": "2026-01-31T09:00:00.000Z"
                     *     }
                     */
                    "application/json": WebhookEndpoint;
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ReferenceNotFoundOrEndpointUnverified"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhookEndpoints.rotateSecret": {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique key for this request, 1 to 255 visible ASCII characters. A repeat with the same key within 7 days returns the first response instead of running again. `Idempotency-Key` is accepted too. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example whe_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "overlap_seconds": 3600
                 *     }
                 */
                "application/json": SecretRotation;
            };
        };
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "whe_01jd0000000000000000000000",
                     *       "url": "https://example.com/hooks",
                     *       "format": "waypost",
                     *       "fields": [],
                     *       "events": [
                     *         "messages",
                     *         "delivered",
                     *         "failed"
                     *       ],
                     *       "description": "Shop backend",
                     *       "ordered": false,
                     *       "phone_number_ids": null,
                     *       "business_account_ids": null,
                     *       "headers": [
                     *         "authorization"
                     *       ],
                     *       "timeout_seconds": 15,
                     *       "rate_per_second": null,
                     *       "enabled": true,
                     *       "status": "active",
                     *       "disabled_reason": null,
                     *       "created_at": "2026-01-31T09:00:00.000Z",
                     *       "updated_at": "2026-01-31T09:00:00.000Z",
                     *       "secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
                     *     }
                     */
                    "application/json": WebhookEndpointWithSecret;
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhookEndpoints.test": {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique key for this request, 1 to 255 visible ASCII characters. A repeat with the same key within 7 days returns the first response instead of running again. `Idempotency-Key` is accepted too. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example whe_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted: stored, and processed in the background. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dlv_01jd0000000000000000000000",
                     *       "event_id": "evt_01jd0000000000000000000000",
                     *       "webhook_endpoint_id": "whe_01jd0000000000000000000000",
                     *       "kind": "delivered",
                     *       "status": "succeeded",
                     *       "attempt": 1,
                     *       "next_attempt_at": null,
                     *       "created_at": "2026-01-31T09:30:00.000Z",
                     *       "completed_at": "2026-01-31T09:30:00.214Z",
                     *       "attempts": [
                     *         {
                     *           "n": 1,
                     *           "started_at": "2026-01-31T09:30:00.120Z",
                     *           "duration_ms": 94,
                     *           "status_code": 200,
                     *           "outcome": "succeeded",
                     *           "error": null,
                     *           "response": "ok",
                     *           "request": {
                     *             "headers": {
                     *               "content-type": "application/json",
                     *               "user-agent": "Waypost/0.2.0",
                     *               "x-service-event": "delivered",
                     *               "x-service-delivery": "dlv_01jd0000000000000000000000",
                     *               "x-service-attempt": "1",
                     *               "webhook-id": "evt_01jd0000000000000000000000",
                     *               "webhook-timestamp": "1769851800"
                     *             },
                     *             "body": "{\"id\":\"evt_01jd0000000000000000000000\",\"kind\":\"delivered\"}"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": Delivery;
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhookEndpoints.listDeliveries": {
        parameters: {
            query?: {
                /** @description The number of items in a page. */
                limit?: components["parameters"]["PageLimit"];
                /** @description The `next_cursor` of the previous page; use it with the same filters. */
                cursor?: components["parameters"]["PageCursor"];
                status?: "pending" | "succeeded" | "failed" | "parked";
                /** @description The kind of the event, such as `delivered`. */
                kind?: string;
                /**
                 * @description Only deliveries created after this time.
                 * @example 2026-01-31T09:30:00Z
                 */
                created_after?: string;
                /**
                 * @description Only deliveries created before this time.
                 * @example 2026-01-31T09:30:00Z
                 */
                created_before?: string;
                /** @description Only deliveries of events of this message. */
                message_id?: string;
                /** @description Only deliveries of events of this person, under each id that they have had. */
                contact_id?: string;
            };
            header?: never;
            path: {
                /** @example whe_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of results. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "dlv_01jd0000000000000000000000",
                     *           "event_id": "evt_01jd0000000000000000000000",
                     *           "webhook_endpoint_id": "whe_01jd0000000000000000000000",
                     *           "kind": "delivered",
                     *           "status": "succeeded",
                     *           "attempt": 1,
                     *           "next_attempt_at": null,
                     *           "created_at": "2026-01-31T09:30:00.000Z",
                     *           "completed_at": "2026-01-31T09:30:00.214Z"
                     *         }
                     *       ],
                     *       "next_cursor": "AZQZTgAAcACAAAAAAAAACrH2c_E"
                     *     }
                     */
                    "application/json": {
                        data: DeliverySummary[];
                        /**
                         * @description The `cursor` of the next page; null on the last page.
                         * @example AZQZTgAAcACAAAAAAAAACrH2c_E
                         */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "deliveries.list": {
        parameters: {
            query?: {
                /** @description The number of items in a page. */
                limit?: components["parameters"]["PageLimit"];
                /** @description The `next_cursor` of the previous page; use it with the same filters. */
                cursor?: components["parameters"]["PageCursor"];
                status?: "pending" | "succeeded" | "failed" | "parked";
                /** @description The kind of the event, such as `delivered`. */
                kind?: string;
                /**
                 * @description Only deliveries created after this time.
                 * @example 2026-01-31T09:30:00Z
                 */
                created_after?: string;
                /**
                 * @description Only deliveries created before this time.
                 * @example 2026-01-31T09:30:00Z
                 */
                created_before?: string;
                /** @description Only deliveries of events of this message. */
                message_id?: string;
                /** @description Only deliveries of events of this person, under each id that they have had. */
                contact_id?: string;
                /** @description Only deliveries to this endpoint. */
                webhook_endpoint_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of results. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "dlv_01jd0000000000000000000000",
                     *           "event_id": "evt_01jd0000000000000000000000",
                     *           "webhook_endpoint_id": "whe_01jd0000000000000000000000",
                     *           "kind": "delivered",
                     *           "status": "succeeded",
                     *           "attempt": 1,
                     *           "next_attempt_at": null,
                     *           "created_at": "2026-01-31T09:30:00.000Z",
                     *           "completed_at": "2026-01-31T09:30:00.214Z"
                     *         }
                     *       ],
                     *       "next_cursor": "AZQZTgAAcACAAAAAAAAACrH2c_E"
                     *     }
                     */
                    "application/json": {
                        data: DeliverySummary[];
                        /**
                         * @description The `cursor` of the next page; null on the last page.
                         * @example AZQZTgAAcACAAAAAAAAACrH2c_E
                         */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "deliveries.retry": {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique key for this request, 1 to 255 visible ASCII characters. A repeat with the same key within 7 days returns the first response instead of running again. `Idempotency-Key` is accepted too. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example dlv_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted: stored, and processed in the background. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dlv_01jd0000000000000000000000",
                     *       "event_id": "evt_01jd0000000000000000000000",
                     *       "webhook_endpoint_id": "whe_01jd0000000000000000000000",
                     *       "kind": "delivered",
                     *       "status": "succeeded",
                     *       "attempt": 1,
                     *       "next_attempt_at": null,
                     *       "created_at": "2026-01-31T09:30:00.000Z",
                     *       "completed_at": "2026-01-31T09:30:00.214Z",
                     *       "attempts": [
                     *         {
                     *           "n": 1,
                     *           "started_at": "2026-01-31T09:30:00.120Z",
                     *           "duration_ms": 94,
                     *           "status_code": 200,
                     *           "outcome": "succeeded",
                     *           "error": null,
                     *           "response": "ok",
                     *           "request": {
                     *             "headers": {
                     *               "content-type": "application/json",
                     *               "user-agent": "Waypost/0.2.0",
                     *               "x-service-event": "delivered",
                     *               "x-service-delivery": "dlv_01jd0000000000000000000000",
                     *               "x-service-attempt": "1",
                     *               "webhook-id": "evt_01jd0000000000000000000000",
                     *               "webhook-timestamp": "1769851800"
                     *             },
                     *             "body": "{\"id\":\"evt_01jd0000000000000000000000\",\"kind\":\"delivered\"}"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": Delivery;
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhookEndpoints.createReplay": {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique key for this request, 1 to 255 visible ASCII characters. A repeat with the same key within 7 days returns the first response instead of running again. `Idempotency-Key` is accepted too. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example whe_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "created_after": "2026-01-30T00:00:00.000Z",
                 *       "only": "all",
                 *       "dry_run": true
                 *     }
                 */
                "application/json": NewReplay;
            };
        };
        responses: {
            /** @description Accepted: stored, and processed in the background. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "rpl_01jd0000000000000000000000",
                     *       "webhook_endpoint_id": "whe_01jd0000000000000000000000",
                     *       "created_after": "2026-01-30T00:00:00.000Z",
                     *       "created_before": "2026-01-31T00:00:00.000Z",
                     *       "events": [
                     *         "messages",
                     *         "delivered"
                     *       ],
                     *       "only": "failed",
                     *       "dry_run": false,
                     *       "status": "running",
                     *       "progress": {
                     *         "matched": 12000,
                     *         "scheduled": 12000,
                     *         "succeeded": 4100,
                     *         "failed": 2
                     *       },
                     *       "error": null,
                     *       "created_at": "2026-01-31T08:00:00.000Z",
                     *       "completed_at": null
                     *     }
                     */
                    "application/json": Replay;
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhookEndpoints.getReplay": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example whe_01jd0000000000000000000000 */
                id: string;
                /** @example rpl_01jd0000000000000000000000 */
                replay_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "rpl_01jd0000000000000000000000",
                     *       "webhook_endpoint_id": "whe_01jd0000000000000000000000",
                     *       "created_after": "2026-01-30T00:00:00.000Z",
                     *       "created_before": "2026-01-31T00:00:00.000Z",
                     *       "events": [
                     *         "messages",
                     *         "delivered"
                     *       ],
                     *       "only": "failed",
                     *       "dry_run": false,
                     *       "status": "running",
                     *       "progress": {
                     *         "matched": 12000,
                     *         "scheduled": 12000,
                     *         "succeeded": 4100,
                     *         "failed": 2
                     *       },
                     *       "error": null,
                     *       "created_at": "2026-01-31T08:00:00.000Z",
                     *       "completed_at": null
                     *     }
                     */
                    "application/json": Replay;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "deliveries.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example dlv_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dlv_01jd0000000000000000000000",
                     *       "event_id": "evt_01jd0000000000000000000000",
                     *       "webhook_endpoint_id": "whe_01jd0000000000000000000000",
                     *       "kind": "delivered",
                     *       "status": "succeeded",
                     *       "attempt": 1,
                     *       "next_attempt_at": null,
                     *       "created_at": "2026-01-31T09:30:00.000Z",
                     *       "completed_at": "2026-01-31T09:30:00.214Z",
                     *       "attempts": [
                     *         {
                     *           "n": 1,
                     *           "started_at": "2026-01-31T09:30:00.120Z",
                     *           "duration_ms": 94,
                     *           "status_code": 200,
                     *           "outcome": "succeeded",
                     *           "error": null,
                     *           "response": "ok",
                     *           "request": {
                     *             "headers": {
                     *               "content-type": "application/json",
                     *               "user-agent": "Waypost/0.2.0",
                     *               "x-service-event": "delivered",
                     *               "x-service-delivery": "dlv_01jd0000000000000000000000",
                     *               "x-service-attempt": "1",
                     *               "webhook-id": "evt_01jd0000000000000000000000",
                     *               "webhook-timestamp": "1769851800"
                     *             },
                     *             "body": "{\"id\":\"evt_01jd0000000000000000000000\",\"kind\":\"delivered\"}"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": Delivery;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "events.list": {
        parameters: {
            query?: {
                /** @description The number of items in a page. */
                limit?: components["parameters"]["PageLimit"];
                /** @description The `next_cursor` of the previous page; use it with the same filters. */
                cursor?: components["parameters"]["PageCursor"];
                /** @description The kind of the event, such as `delivered`. */
                kind?: string;
                /** @description Only events of this message. */
                message_id?: string;
                /** @description Only events of this person, under each id that they have had. */
                contact_id?: string;
                /**
                 * @description Only events created after this time.
                 * @example 2026-01-31T09:30:00Z
                 */
                created_after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of results. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "evt_01jd0000000000000000000000",
                     *           "kind": "contact_updated",
                     *           "category": "contact",
                     *           "workspace_id": "ws_01jd0000000000000000000000",
                     *           "created_at": "2026-01-31T09:30:00.000Z",
                     *           "sequence": 4211,
                     *           "data": {
                     *             "contact": {
                     *               "id": "con_01jd0000000000000000000000",
                     *               "name": "Ana"
                     *             },
                     *             "source": "api"
                     *           }
                     *         }
                     *       ],
                     *       "next_cursor": "MS45MDEyLjAxOTQ",
                     *       "has_more": false,
                     *       "gap": false
                     *     }
                     */
                    "application/json": {
                        data: Event[];
                        /** @description Where to go on, in any case: use it later for what has happened by then. With the same filters. */
                        next_cursor: string;
                        /** @description Whether there may be more at once. */
                        has_more: boolean;
                        /** @description Whether events behind the cursor are no longer kept: the page begins with the oldest that are. Read again what you keep a copy of. */
                        gap: boolean;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "events.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example evt_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "evt_01jd0000000000000000000000",
                     *       "kind": "contact_updated",
                     *       "category": "contact",
                     *       "workspace_id": "ws_01jd0000000000000000000000",
                     *       "created_at": "2026-01-31T09:30:00.000Z",
                     *       "sequence": 4211,
                     *       "data": {
                     *         "contact": {
                     *           "id": "con_01jd0000000000000000000000",
                     *           "name": "Ana"
                     *         },
                     *         "source": "api"
                     *       }
                     *     }
                     */
                    "application/json": Event;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "events.stream": {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page; use it with the same filters. */
                cursor?: components["parameters"]["PageCursor"];
                /** @description The kind of the event, such as `delivered`. */
                kind?: string;
                /** @description Only events of this message. */
                message_id?: string;
                /** @description Only events of this person, under each id that they have had. */
                contact_id?: string;
            };
            header?: {
                /** @description The `id` of the last event that arrived, to go on behind it. It counts more than `cursor`. */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events, until either end closes the connection. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example retry: 2104
                     *     :
                     *     id: MS45MDEyLjAxOTQ
                     *
                     *     id: MS45MDEzLjAxOTQ
                     *     event: contact_updated
                     *     data: {"id":"evt_01jd0000000000000000000000","kind":"contact_updated","category":"contact","workspace_id":"ws_01jd0000000000000000000000","created_at":"2026-01-31T09:30:00.000Z","sequence":4211,"data":{"contact":{"id":"con_01jd0000000000000000000000","name":"Ana"},"source":"api"}}
                     */
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "businessAccounts.list": {
        parameters: {
            query?: {
                /** @description The number of items in a page. */
                limit?: components["parameters"]["PageLimit"];
                /** @description The `next_cursor` of the previous page; use it with the same filters. */
                cursor?: components["parameters"]["PageCursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of results. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "acc_01jd0000000000000000000000",
                     *           "provider_account_id": "9001",
                     *           "name": "Demo Shop",
                     *           "status": "connected",
                     *           "status_reason": null,
                     *           "phone_numbers": [
                     *             {
                     *               "id": "num_01jd0000000000000000000000",
                     *               "provider_phone_number_id": "1055",
                     *               "business_account_id": "acc_01jd0000000000000000000000",
                     *               "phone": "+15559990000",
                     *               "verified_name": "Demo Shop",
                     *               "quality": "green",
                     *               "status": "connected",
                     *               "throughput_per_second": 80,
                     *               "is_default": true,
                     *               "description": null,
                     *               "messaging_limit": {
                     *                 "limit": null,
                     *                 "used": null,
                     *                 "remaining": null,
                     *                 "resets_at": null
                     *               },
                     *               "service_allowance": {
                     *                 "included": 1000,
                     *                 "used": 240,
                     *                 "remaining": 760,
                     *                 "resets_at": "2026-02-01T08:00:00.000Z"
                     *               },
                     *               "marketing_stopped_until": null
                     *             }
                     *           ],
                     *           "portfolio_id": "7001",
                     *           "time_zone": "America/Los_Angeles",
                     *           "messaging_account_id": null,
                     *           "waac_id": null,
                     *           "created_at": "2026-01-31T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "AZQZTgAAcACAAAAAAAAACrH2c_E"
                     *     }
                     */
                    "application/json": {
                        data: BusinessAccount[];
                        /**
                         * @description The `cursor` of the next page; null on the last page.
                         * @example AZQZTgAAcACAAAAAAAAACrH2c_E
                         */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "businessAccounts.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique key for this request, 1 to 255 visible ASCII characters. A repeat with the same key within 7 days returns the first response instead of running again. `Idempotency-Key` is accepted too. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "provider_account_id": "9001",
                 *       "access_token": "EAASIMDEMO"
                 *     }
                 */
                "application/json": NewBusinessAccount;
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "acc_01jd0000000000000000000000",
                     *       "provider_account_id": "9001",
                     *       "name": "Demo Shop",
                     *       "status": "connected",
                     *       "status_reason": null,
                     *       "phone_numbers": [
                     *         {
                     *           "id": "num_01jd0000000000000000000000",
                     *           "provider_phone_number_id": "1055",
                     *           "business_account_id": "acc_01jd0000000000000000000000",
                     *           "phone": "+15559990000",
                     *           "verified_name": "Demo Shop",
                     *           "quality": "green",
                     *           "status": "connected",
                     *           "throughput_per_second": 80,
                     *           "is_default": true,
                     *           "description": null,
                     *           "messaging_limit": {
                     *             "limit": null,
                     *             "used": null,
                     *             "remaining": null,
                     *             "resets_at": null
                     *           },
                     *           "service_allowance": {
                     *             "included": 1000,
                     *             "used": 240,
                     *             "remaining": 760,
                     *             "resets_at": "2026-02-01T08:00:00.000Z"
                     *           },
                     *           "marketing_stopped_until": null
                     *         }
                     *       ],
                     *       "portfolio_id": "7001",
                     *       "time_zone": "America/Los_Angeles",
                     *       "messaging_account_id": null,
                     *       "waac_id": null,
                     *       "created_at": "2026-01-31T09:00:00.000Z"
                     *     }
                     */
                    "application/json": BusinessAccount;
                };
            };
            /** @description Accepted: stored, and processed in the background. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "acc_01jd0000000000000000000000",
                     *       "provider_account_id": "9001",
                     *       "name": "Demo Shop",
                     *       "status": "connected",
                     *       "status_reason": null,
                     *       "phone_numbers": [
                     *         {
                     *           "id": "num_01jd0000000000000000000000",
                     *           "provider_phone_number_id": "1055",
                     *           "business_account_id": "acc_01jd0000000000000000000000",
                     *           "phone": "+15559990000",
                     *           "verified_name": "Demo Shop",
                     *           "quality": "green",
                     *           "status": "connected",
                     *           "throughput_per_second": 80,
                     *           "is_default": true,
                     *           "description": null,
                     *           "messaging_limit": {
                     *             "limit": null,
                     *             "used": null,
                     *             "remaining": null,
                     *             "resets_at": null
                     *           },
                     *           "service_allowance": {
                     *             "included": 1000,
                     *             "used": 240,
                     *             "remaining": 760,
                     *             "resets_at": "2026-02-01T08:00:00.000Z"
                     *           },
                     *           "marketing_stopped_until": null
                     *         }
                     *       ],
                     *       "portfolio_id": "7001",
                     *       "time_zone": "America/Los_Angeles",
                     *       "messaging_account_id": null,
                     *       "waac_id": null,
                     *       "created_at": "2026-01-31T09:00:00.000Z"
                     *     }
                     */
                    "application/json": BusinessAccount;
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["ConflictOrIdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ProviderRejectedOrIdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "businessAccounts.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example acc_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "acc_01jd0000000000000000000000",
                     *       "provider_account_id": "9001",
                     *       "name": "Demo Shop",
                     *       "status": "connected",
                     *       "status_reason": null,
                     *       "phone_numbers": [
                     *         {
                     *           "id": "num_01jd0000000000000000000000",
                     *           "provider_phone_number_id": "1055",
                     *           "business_account_id": "acc_01jd0000000000000000000000",
                     *           "phone": "+15559990000",
                     *           "verified_name": "Demo Shop",
                     *           "quality": "green",
                     *           "status": "connected",
                     *           "throughput_per_second": 80,
                     *           "is_default": true,
                     *           "description": null,
                     *           "messaging_limit": {
                     *             "limit": null,
                     *             "used": null,
                     *             "remaining": null,
                     *             "resets_at": null
                     *           },
                     *           "service_allowance": {
                     *             "included": 1000,
                     *             "used": 240,
                     *             "remaining": 760,
                     *             "resets_at": "2026-02-01T08:00:00.000Z"
                     *           },
                     *           "marketing_stopped_until": null
                     *         }
                     *       ],
                     *       "portfolio_id": "7001",
                     *       "time_zone": "America/Los_Angeles",
                     *       "messaging_account_id": null,
                     *       "waac_id": null,
                     *       "created_at": "2026-01-31T09:00:00.000Z"
                     *     }
                     */
                    "application/json": BusinessAccount;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "businessAccounts.delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example acc_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. The response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "businessAccounts.update": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example acc_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "messaging_account_id": "9001"
                 *     }
                 */
                "application/json": BusinessAccountChange;
            };
        };
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "acc_01jd0000000000000000000000",
                     *       "provider_account_id": "9001",
                     *       "name": "Demo Shop",
                     *       "status": "connected",
                     *       "status_reason": null,
                     *       "phone_numbers": [
                     *         {
                     *           "id": "num_01jd0000000000000000000000",
                     *           "provider_phone_number_id": "1055",
                     *           "business_account_id": "acc_01jd0000000000000000000000",
                     *           "phone": "+15559990000",
                     *           "verified_name": "Demo Shop",
                     *           "quality": "green",
                     *           "status": "connected",
                     *           "throughput_per_second": 80,
                     *           "is_default": true,
                     *           "description": null,
                     *           "messaging_limit": {
                     *             "limit": null,
                     *             "used": null,
                     *             "remaining": null,
                     *             "resets_at": null
                     *           },
                     *           "service_allowance": {
                     *             "included": 1000,
                     *             "used": 240,
                     *             "remaining": 760,
                     *             "resets_at": "2026-02-01T08:00:00.000Z"
                     *           },
                     *           "marketing_stopped_until": null
                     *         }
                     *       ],
                     *       "portfolio_id": "7001",
                     *       "time_zone": "America/Los_Angeles",
                     *       "messaging_account_id": null,
                     *       "waac_id": null,
                     *       "created_at": "2026-01-31T09:00:00.000Z"
                     *     }
                     */
                    "application/json": BusinessAccount;
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "phoneNumbers.list": {
        parameters: {
            query?: {
                /** @description The number of items in a page. */
                limit?: components["parameters"]["PageLimit"];
                /** @description The `next_cursor` of the previous page; use it with the same filters. */
                cursor?: components["parameters"]["PageCursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of results. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "num_01jd0000000000000000000000",
                     *           "provider_phone_number_id": "1055",
                     *           "business_account_id": "acc_01jd0000000000000000000000",
                     *           "phone": "+15559990000",
                     *           "verified_name": "Demo Shop",
                     *           "quality": "green",
                     *           "status": "connected",
                     *           "throughput_per_second": 80,
                     *           "is_default": true,
                     *           "description": null,
                     *           "messaging_limit": {
                     *             "limit": null,
                     *             "used": null,
                     *             "remaining": null,
                     *             "resets_at": null
                     *           },
                     *           "service_allowance": {
                     *             "included": 1000,
                     *             "used": 240,
                     *             "remaining": 760,
                     *             "resets_at": "2026-02-01T08:00:00.000Z"
                     *           },
                     *           "marketing_stopped_until": null
                     *         }
                     *       ],
                     *       "next_cursor": "AZQZTgAAcACAAAAAAAAACrH2c_E"
                     *     }
                     */
                    "application/json": {
                        data: PhoneNumber[];
                        /**
                         * @description The `cursor` of the next page; null on the last page.
                         * @example AZQZTgAAcACAAAAAAAAACrH2c_E
                         */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "phoneNumbers.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example num_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "num_01jd0000000000000000000000",
                     *       "provider_phone_number_id": "1055",
                     *       "business_account_id": "acc_01jd0000000000000000000000",
                     *       "phone": "+15559990000",
                     *       "verified_name": "Demo Shop",
                     *       "quality": "green",
                     *       "status": "connected",
                     *       "throughput_per_second": 80,
                     *       "is_default": true,
                     *       "description": null,
                     *       "messaging_limit": {
                     *         "limit": null,
                     *         "used": null,
                     *         "remaining": null,
                     *         "resets_at": null
                     *       },
                     *       "service_allowance": {
                     *         "included": 1000,
                     *         "used": 240,
                     *         "remaining": 760,
                     *         "resets_at": "2026-02-01T08:00:00.000Z"
                     *       },
                     *       "marketing_stopped_until": null
                     *     }
                     */
                    "application/json": PhoneNumber;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "phoneNumbers.update": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example num_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "Front desk"
                 *     }
                 */
                "application/json": PhoneNumberChange;
            };
        };
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "num_01jd0000000000000000000000",
                     *       "provider_phone_number_id": "1055",
                     *       "business_account_id": "acc_01jd0000000000000000000000",
                     *       "phone": "+15559990000",
                     *       "verified_name": "Demo Shop",
                     *       "quality": "green",
                     *       "status": "connected",
                     *       "throughput_per_second": 80,
                     *       "is_default": true,
                     *       "description": null,
                     *       "messaging_limit": {
                     *         "limit": null,
                     *         "used": null,
                     *         "remaining": null,
                     *         "resets_at": null
                     *       },
                     *       "service_allowance": {
                     *         "included": 1000,
                     *         "used": 240,
                     *         "remaining": 760,
                     *         "resets_at": "2026-02-01T08:00:00.000Z"
                     *       },
                     *       "marketing_stopped_until": null
                     *     }
                     */
                    "application/json": PhoneNumber;
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "phoneNumbers.getHealth": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example num_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "phone_number_id": "num_01jd0000000000000000000000",
                     *       "checks": [
                     *         {
                     *           "name": "token",
                     *           "ok": true,
                     *           "detail": "The provider lets the account's token in.",
                     *           "remedy": null,
                     *           "checked_at": "2026-01-31T09:00:00.000Z"
                     *         },
                     *         {
                     *           "name": "access",
                     *           "ok": true,
                     *           "detail": "The account may send.",
                     *           "remedy": null,
                     *           "checked_at": "2026-01-31T09:00:00.000Z"
                     *         },
                     *         {
                     *           "name": "subscribed",
                     *           "ok": true,
                     *           "detail": "The gateway's app gets the callbacks of the account.",
                     *           "remedy": null,
                     *           "checked_at": "2026-01-31T09:00:00.000Z"
                     *         },
                     *         {
                     *           "name": "callback_seen",
                     *           "ok": true,
                     *           "detail": "The last callback of this number came at 2026-01-31T08:59:02.000Z.",
                     *           "remedy": null,
                     *           "checked_at": "2026-01-31T09:00:00.000Z"
                     *         },
                     *         {
                     *           "name": "registered",
                     *           "ok": true,
                     *           "detail": "The number is connected.",
                     *           "remedy": null,
                     *           "checked_at": "2026-01-31T09:00:00.000Z"
                     *         },
                     *         {
                     *           "name": "quality",
                     *           "ok": true,
                     *           "detail": "The provider rates it green.",
                     *           "remedy": null,
                     *           "checked_at": "2026-01-31T09:00:00.000Z"
                     *         },
                     *         {
                     *           "name": "throughput",
                     *           "ok": true,
                     *           "detail": "80 messages a second.",
                     *           "remedy": null,
                     *           "checked_at": "2026-01-31T09:00:00.000Z"
                     *         },
                     *         {
                     *           "name": "limit",
                     *           "ok": true,
                     *           "detail": "Room for 988 of 1000 people in 24 hours.",
                     *           "remedy": null,
                     *           "checked_at": "2026-01-31T09:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": PhoneNumberHealth;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "phoneNumbers.getProfile": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example num_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "phone_number_id": "num_01jd0000000000000000000000",
                     *       "about": "Open from nine to six.",
                     *       "address": "12 Market Street, Springfield",
                     *       "description": "Bread and cakes since 1920.",
                     *       "email": "hello@shop.example",
                     *       "websites": [
                     *         "https://shop.example"
                     *       ],
                     *       "vertical": "RETAIL",
                     *       "profile_picture_url": null
                     *     }
                     */
                    "application/json": BusinessProfile;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["SenderUnavailableOrProviderRejected"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["ProviderUnavailable"];
            503: components["responses"]["Unavailable"];
        };
    };
    "phoneNumbers.updateProfile": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example num_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "Bread and cakes since 1920.",
                 *       "websites": [
                 *         "https://shop.example"
                 *       ]
                 *     }
                 */
                "application/json": BusinessProfileChange;
            };
        };
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "phone_number_id": "num_01jd0000000000000000000000",
                     *       "about": "Open from nine to six.",
                     *       "address": "12 Market Street, Springfield",
                     *       "description": "Bread and cakes since 1920.",
                     *       "email": "hello@shop.example",
                     *       "websites": [
                     *         "https://shop.example"
                     *       ],
                     *       "vertical": "RETAIL",
                     *       "profile_picture_url": null
                     *     }
                     */
                    "application/json": BusinessProfile;
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["SenderUnavailableOrProviderRejected"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["ProviderUnavailable"];
            503: components["responses"]["Unavailable"];
        };
    };
    "embeddedSignups.list": {
        parameters: {
            query?: {
                /** @description The number of items in a page. */
                limit?: components["parameters"]["PageLimit"];
                /** @description The `next_cursor` of the previous page; use it with the same filters. */
                cursor?: components["parameters"]["PageCursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of results. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "sgn_01jd0000000000000000000000",
                     *           "status": "completed",
                     *           "provider_account_id": "9001",
                     *           "provider_phone_number_id": "1055",
                     *           "business_account_id": "acc_01jd0000000000000000000000",
                     *           "steps": [
                     *             {
                     *               "name": "exchange",
                     *               "status": "done",
                     *               "detail": null,
                     *               "error": null,
                     *               "completed_at": "2026-01-31T09:00:01.000Z"
                     *             },
                     *             {
                     *               "name": "inspect_token",
                     *               "status": "done",
                     *               "detail": "The token does not expire.",
                     *               "error": null,
                     *               "completed_at": "2026-01-31T09:00:01.000Z"
                     *             },
                     *             {
                     *               "name": "verify_ownership",
                     *               "status": "done",
                     *               "detail": "Account 9001 with 1 phone number.",
                     *               "error": null,
                     *               "completed_at": "2026-01-31T09:00:01.000Z"
                     *             },
                     *             {
                     *               "name": "subscribe",
                     *               "status": "done",
                     *               "detail": null,
                     *               "error": null,
                     *               "completed_at": "2026-01-31T09:00:01.000Z"
                     *             },
                     *             {
                     *               "name": "register",
                     *               "status": "done",
                     *               "detail": "+15559990000 is registered.",
                     *               "error": null,
                     *               "completed_at": "2026-01-31T09:00:01.000Z"
                     *             },
                     *             {
                     *               "name": "import",
                     *               "status": "done",
                     *               "detail": "1 phone number and 6 templates.",
                     *               "error": null,
                     *               "completed_at": "2026-01-31T09:00:01.000Z"
                     *             }
                     *           ],
                     *           "created_at": "2026-01-31T09:00:00.000Z",
                     *           "updated_at": "2026-01-31T09:00:01.000Z",
                     *           "completed_at": "2026-01-31T09:00:01.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "AZQZTgAAcACAAAAAAAAACrH2c_E"
                     *     }
                     */
                    "application/json": {
                        data: EmbeddedSignup[];
                        /**
                         * @description The `cursor` of the next page; null on the last page.
                         * @example AZQZTgAAcACAAAAAAAAACrH2c_E
                         */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "embeddedSignups.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique key for this request, 1 to 255 visible ASCII characters. A repeat with the same key within 7 days returns the first response instead of running again. `Idempotency-Key` is accepted too. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "code-9001",
                 *       "provider_account_id": "9001",
                 *       "provider_phone_number_id": "1055"
                 *     }
                 */
                "application/json": NewEmbeddedSignup;
            };
        };
        responses: {
            /** @description Accepted: stored, and processed in the background. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "sgn_01jd0000000000000000000000",
                     *       "status": "completed",
                     *       "provider_account_id": "9001",
                     *       "provider_phone_number_id": "1055",
                     *       "business_account_id": "acc_01jd0000000000000000000000",
                     *       "steps": [
                     *         {
                     *           "name": "exchange",
                     *           "status": "done",
                     *           "detail": null,
                     *           "error": null,
                     *           "completed_at": "2026-01-31T09:00:01.000Z"
                     *         },
                     *         {
                     *           "name": "inspect_token",
                     *           "status": "done",
                     *           "detail": "The token does not expire.",
                     *           "error": null,
                     *           "completed_at": "2026-01-31T09:00:01.000Z"
                     *         },
                     *         {
                     *           "name": "verify_ownership",
                     *           "status": "done",
                     *           "detail": "Account 9001 with 1 phone number.",
                     *           "error": null,
                     *           "completed_at": "2026-01-31T09:00:01.000Z"
                     *         },
                     *         {
                     *           "name": "subscribe",
                     *           "status": "done",
                     *           "detail": null,
                     *           "error": null,
                     *           "completed_at": "2026-01-31T09:00:01.000Z"
                     *         },
                     *         {
                     *           "name": "register",
                     *           "status": "done",
                     *           "detail": "+15559990000 is registered.",
                     *           "error": null,
                     *           "completed_at": "2026-01-31T09:00:01.000Z"
                     *         },
                     *         {
                     *           "name": "import",
                     *           "status": "done",
                     *           "detail": "1 phone number and 6 templates.",
                     *           "error": null,
                     *           "completed_at": "2026-01-31T09:00:01.000Z"
                     *         }
                     *       ],
                     *       "created_at": "2026-01-31T09:00:00.000Z",
                     *       "updated_at": "2026-01-31T09:00:01.000Z",
                     *       "completed_at": "2026-01-31T09:00:01.000Z"
                     *     }
                     */
                    "application/json": EmbeddedSignup;
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["ConflictOrIdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "embeddedSignups.getConfig": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dialog_url": "https://www.facebook.com/v26.0/dialog/oauth?client_id=42&config_id=84&response_type=code&redirect_uri=https%3A%2F%2Fgateway.example%2Fsignup%2Freturn&override_default_response_type=true",
                     *       "app_id": "42",
                     *       "config_id": "84",
                     *       "redirect_uri": "https://gateway.example/signup/return"
                     *     }
                     */
                    "application/json": EmbeddedSignupConfig;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "embeddedSignups.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example sgn_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "sgn_01jd0000000000000000000000",
                     *       "status": "completed",
                     *       "provider_account_id": "9001",
                     *       "provider_phone_number_id": "1055",
                     *       "business_account_id": "acc_01jd0000000000000000000000",
                     *       "steps": [
                     *         {
                     *           "name": "exchange",
                     *           "status": "done",
                     *           "detail": null,
                     *           "error": null,
                     *           "completed_at": "2026-01-31T09:00:01.000Z"
                     *         },
                     *         {
                     *           "name": "inspect_token",
                     *           "status": "done",
                     *           "detail": "The token does not expire.",
                     *           "error": null,
                     *           "completed_at": "2026-01-31T09:00:01.000Z"
                     *         },
                     *         {
                     *           "name": "verify_ownership",
                     *           "status": "done",
                     *           "detail": "Account 9001 with 1 phone number.",
                     *           "error": null,
                     *           "completed_at": "2026-01-31T09:00:01.000Z"
                     *         },
                     *         {
                     *           "name": "subscribe",
                     *           "status": "done",
                     *           "detail": null,
                     *           "error": null,
                     *           "completed_at": "2026-01-31T09:00:01.000Z"
                     *         },
                     *         {
                     *           "name": "register",
                     *           "status": "done",
                     *           "detail": "+15559990000 is registered.",
                     *           "error": null,
                     *           "completed_at": "2026-01-31T09:00:01.000Z"
                     *         },
                     *         {
                     *           "name": "import",
                     *           "status": "done",
                     *           "detail": "1 phone number and 6 templates.",
                     *           "error": null,
                     *           "completed_at": "2026-01-31T09:00:01.000Z"
                     *         }
                     *       ],
                     *       "created_at": "2026-01-31T09:00:00.000Z",
                     *       "updated_at": "2026-01-31T09:00:01.000Z",
                     *       "completed_at": "2026-01-31T09:00:01.000Z"
                     *     }
                     */
                    "application/json": EmbeddedSignup;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "embeddedSignups.resume": {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique key for this request, 1 to 255 visible ASCII characters. A repeat with the same key within 7 days returns the first response instead of running again. `Idempotency-Key` is accepted too. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example sgn_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "code": "code-9001"
                 *     }
                 */
                "application/json": SignupResume;
            };
        };
        responses: {
            /** @description Accepted: stored, and processed in the background. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "sgn_01jd0000000000000000000000",
                     *       "status": "completed",
                     *       "provider_account_id": "9001",
                     *       "provider_phone_number_id": "1055",
                     *       "business_account_id": "acc_01jd0000000000000000000000",
                     *       "steps": [
                     *         {
                     *           "name": "exchange",
                     *           "status": "done",
                     *           "detail": null,
                     *           "error": null,
                     *           "completed_at": "2026-01-31T09:00:01.000Z"
                     *         },
                     *         {
                     *           "name": "inspect_token",
                     *           "status": "done",
                     *           "detail": "The token does not expire.",
                     *           "error": null,
                     *           "completed_at": "2026-01-31T09:00:01.000Z"
                     *         },
                     *         {
                     *           "name": "verify_ownership",
                     *           "status": "done",
                     *           "detail": "Account 9001 with 1 phone number.",
                     *           "error": null,
                     *           "completed_at": "2026-01-31T09:00:01.000Z"
                     *         },
                     *         {
                     *           "name": "subscribe",
                     *           "status": "done",
                     *           "detail": null,
                     *           "error": null,
                     *           "completed_at": "2026-01-31T09:00:01.000Z"
                     *         },
                     *         {
                     *           "name": "register",
                     *           "status": "done",
                     *           "detail": "+15559990000 is registered.",
                     *           "error": null,
                     *           "completed_at": "2026-01-31T09:00:01.000Z"
                     *         },
                     *         {
                     *           "name": "import",
                     *           "status": "done",
                     *           "detail": "1 phone number and 6 templates.",
                     *           "error": null,
                     *           "completed_at": "2026-01-31T09:00:01.000Z"
                     *         }
                     *       ],
                     *       "created_at": "2026-01-31T09:00:00.000Z",
                     *       "updated_at": "2026-01-31T09:00:01.000Z",
                     *       "completed_at": "2026-01-31T09:00:01.000Z"
                     *     }
                     */
                    "application/json": EmbeddedSignup;
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "setupLinks.list": {
        parameters: {
            query?: {
                /** @description The number of items in a page. */
                limit?: components["parameters"]["PageLimit"];
                /** @description The `next_cursor` of the previous page; use it with the same filters. */
                cursor?: components["parameters"]["PageCursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of results. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "stl_01jd0000000000000000000000",
                     *           "status": "open",
                     *           "expires_at": "2026-02-01T09:00:00.000Z",
                     *           "return_url": "https://shop.example/connected",
                     *           "embedded_signup_id": null,
                     *           "created_at": "2026-01-31T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "AZQZTgAAcACAAAAAAAAACrH2c_E"
                     *     }
                     */
                    "application/json": {
                        data: SetupLink[];
                        /**
                         * @description The `cursor` of the next page; null on the last page.
                         * @example AZQZTgAAcACAAAAAAAAACrH2c_E
                         */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "setupLinks.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique key for this request, 1 to 255 visible ASCII characters. A repeat with the same key within 7 days returns the first response instead of running again. `Idempotency-Key` is accepted too. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "return_url": "https://shop.example/connected"
                 *     }
                 */
                "application/json": SetupLinkInput;
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "stl_01jd0000000000000000000000",
                     *       "status": "open",
                     *       "expires_at": "2026-02-01T09:00:00.000Z",
                     *       "return_url": "https://shop.example/connected",
                     *       "embedded_signup_id": null,
                     *       "created_at": "2026-01-31T09:00:00.000Z",
                     *       "url": "https://gateway.example/signup#AZQZTgAAcACAAAAAAAAACrH2c_E"
                     *     }
                     */
                    "application/json": NewSetupLink;
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["ConflictOrIdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "setupLinks.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example stl_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "stl_01jd0000000000000000000000",
                     *       "status": "open",
                     *       "expires_at": "2026-02-01T09:00:00.000Z",
                     *       "return_url": "https://shop.example/connected",
                     *       "embedded_signup_id": null,
                     *       "created_at": "2026-01-31T09:00:00.000Z"
                     *     }
                     */
                    "application/json": SetupLink;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "setupLinks.delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example stl_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. The response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "conversations.list": {
        parameters: {
            query?: {
                /** @description The number of items in a page. */
                limit?: components["parameters"]["PageLimit"];
                /** @description The `next_cursor` of the previous page; use it with the same filters. */
                cursor?: components["parameters"]["PageCursor"];
                /** @description The id of one of your phone numbers. */
                phone_number_id?: string;
                /** @description The id of a person's contact. */
                contact_id?: string;
                /** @description Whether free-form messages can be sent in it now. */
                window?: "open" | "closed";
                /** @description Whether it has messages of the person that you have not marked as read. */
                unread?: boolean;
                /**
                 * @description Is with a person whom the list of contacts finds by this `q`: a part of a name or of a number.
                 * @example ana
                 */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of results. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "contact_id": "con_01jd0000000000000000000000",
                     *           "phone_number_id": "num_01jd0000000000000000000000",
                     *           "contact": {
                     *             "id": "con_01jd0000000000000000000000",
                     *             "name": "Ana",
                     *             "phone": "+15551230001"
                     *           },
                     *           "last_message": {
                     *             "id": "msg_01jd0000000000000000000000",
                     *             "direction": "outbound",
                     *             "status": "read",
                     *             "final": true,
                     *             "to": "+15551230001",
                     *             "from": "+15559990000",
                     *             "phone_number_id": "num_01jd0000000000000000000000",
                     *             "contact_id": "con_01jd0000000000000000000000",
                     *             "type": "template",
                     *             "template": {
                     *               "name": "order_ready",
                     *               "language": {
                     *                 "code": "en_US"
                     *               }
                     *             },
                     *             "reply_to": null,
                     *             "reference": null,
                     *             "category": "utility",
                     *             "pricing": {
                     *               "billable": true,
                     *               "pricing_model": "PMP",
                     *               "category": "utility",
                     *               "type": "regular"
                     *             },
                     *             "error": null,
                     *             "provider_message_id": "wamid.HBgLMTU1NTEyMzAwMDEVAgARGBI5QTNDQTVCM0Q0Q0Q2RTY3RTcA",
                     *             "possible_duplicate": false,
                     *             "created_at": "2026-01-31T09:30:00.000Z",
                     *             "estimated_dispatch_at": "2026-01-31T09:30:01.000Z",
                     *             "send_at": null,
                     *             "expires_at": null,
                     *             "accepted_at": "2026-01-31T09:30:00.412Z",
                     *             "sent_at": "2026-01-31T09:30:01.000Z",
                     *             "delivered_at": "2026-01-31T09:30:02.000Z",
                     *             "read_at": "2026-01-31T09:31:07.000Z",
                     *             "failed_at": null,
                     *             "sequence": 17,
                     *             "occurred_at": null,
                     *             "context": null,
                     *             "referral": null,
                     *             "handled_by": "self",
                     *             "preview": "Your order is ready."
                     *           },
                     *           "unread_count": 2,
                     *           "window": {
                     *             "open": true,
                     *             "expires_at": "2026-02-01T09:00:00.000Z"
                     *           },
                     *           "owner": {
                     *             "role": "none",
                     *             "since": null
                     *           },
                     *           "updated_at": "2026-01-31T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "AZQZTgAAcACAAAAAAAAACrH2c_E"
                     *     }
                     */
                    "application/json": {
                        data: Conversation[];
                        /**
                         * @description The `cursor` of the next page; null on the last page.
                         * @example AZQZTgAAcACAAAAAAAAACrH2c_E
                         */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "conversations.listMessages": {
        parameters: {
            query?: {
                /** @description The number of items in a page. */
                limit?: components["parameters"]["PageLimit"];
                /** @description The `next_cursor` of the previous page; use it with the same filters. */
                cursor?: components["parameters"]["PageCursor"];
                /** @description The id of one of your phone numbers. */
                phone_number_id?: string;
                direction?: "outbound" | "inbound";
                /**
                 * @description Only messages created after this time.
                 * @example 2026-01-31T09:30:00Z
                 */
                created_after?: string;
                /**
                 * @description Only messages created before this time.
                 * @example 2026-01-31T09:30:00Z
                 */
                created_before?: string;
            };
            header?: never;
            path: {
                /** @example con_01jd0000000000000000000000 */
                contact_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of results. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "msg_01jd0000000000000000000000",
                     *           "direction": "outbound",
                     *           "status": "read",
                     *           "final": true,
                     *           "to": "+15551230001",
                     *           "from": "+15559990000",
                     *           "phone_number_id": "num_01jd0000000000000000000000",
                     *           "contact_id": "con_01jd0000000000000000000000",
                     *           "type": "template",
                     *           "template": {
                     *             "name": "order_ready",
                     *             "language": {
                     *               "code": "en_US"
                     *             }
                     *           },
                     *           "reply_to": null,
                     *           "reference": null,
                     *           "category": "utility",
                     *           "pricing": {
                     *             "billable": true,
                     *             "pricing_model": "PMP",
                     *             "category": "utility",
                     *             "type": "regular"
                     *           },
                     *           "error": null,
                     *           "provider_message_id": "wamid.HBgLMTU1NTEyMzAwMDEVAgARGBI5QTNDQTVCM0Q0Q0Q2RTY3RTcA",
                     *           "possible_duplicate": false,
                     *           "created_at": "2026-01-31T09:30:00.000Z",
                     *           "estimated_dispatch_at": "2026-01-31T09:30:01.000Z",
                     *           "send_at": null,
                     *           "expires_at": null,
                     *           "accepted_at": "2026-01-31T09:30:00.412Z",
                     *           "sent_at": "2026-01-31T09:30:01.000Z",
                     *           "delivered_at": "2026-01-31T09:30:02.000Z",
                     *           "read_at": "2026-01-31T09:31:07.000Z",
                     *           "failed_at": null,
                     *           "sequence": 17,
                     *           "occurred_at": null,
                     *           "context": null,
                     *           "referral": null,
                     *           "handled_by": "self",
                     *           "preview": "Your order is ready."
                     *         }
                     *       ],
                     *       "next_cursor": "AZQZTgAAcACAAAAAAAAACrH2c_E"
                     *     }
                     */
                    "application/json": {
                        data: ListedMessage[];
                        /**
                         * @description The `cursor` of the next page; null on the last page.
                         * @example AZQZTgAAcACAAAAAAAAACrH2c_E
                         */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "conversations.control": {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique key for this request, 1 to 255 visible ASCII characters. A repeat with the same key within 7 days returns the first response instead of running again. `Idempotency-Key` is accepted too. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example con_01jd0000000000000000000000 */
                contact_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "phone_number_id": "num_01jd0000000000000000000000",
                 *       "action": "take"
                 *     }
                 */
                "application/json": ControlConversation;
            };
        };
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "contact_id": "con_01jd0000000000000000000000",
                     *       "phone_number_id": "num_01jd0000000000000000000000",
                     *       "contact": {
                     *         "id": "con_01jd0000000000000000000000",
                     *         "name": "Ana",
                     *         "phone": "+15551230001"
                     *       },
                     *       "last_message": {
                     *         "id": "msg_01jd0000000000000000000000",
                     *         "direction": "outbound",
                     *         "status": "read",
                     *         "final": true,
                     *         "to": "+15551230001",
                     *         "from": "+15559990000",
                     *         "phone_number_id": "num_01jd0000000000000000000000",
                     *         "contact_id": "con_01jd0000000000000000000000",
                     *         "type": "template",
                     *         "template": {
                     *           "name": "order_ready",
                     *           "language": {
                     *             "code": "en_US"
                     *           }
                     *         },
                     *         "reply_to": null,
                     *         "reference": null,
                     *         "category": "utility",
                     *         "pricing": {
                     *           "billable": true,
                     *           "pricing_model": "PMP",
                     *           "category": "utility",
                     *           "type": "regular"
                     *         },
                     *         "error": null,
                     *         "provider_message_id": "wamid.HBgLMTU1NTEyMzAwMDEVAgARGBI5QTNDQTVCM0Q0Q0Q2RTY3RTcA",
                     *         "possible_duplicate": false,
                     *         "created_at": "2026-01-31T09:30:00.000Z",
                     *         "estimated_dispatch_at": "2026-01-31T09:30:01.000Z",
                     *         "send_at": null,
                     *         "expires_at": null,
                     *         "accepted_at": "2026-01-31T09:30:00.412Z",
                     *         "sent_at": "2026-01-31T09:30:01.000Z",
                     *         "delivered_at": "2026-01-31T09:30:02.000Z",
                     *         "read_at": "2026-01-31T09:31:07.000Z",
                     *         "failed_at": null,
                     *         "sequence": 17,
                     *         "occurred_at": null,
                     *         "context": null,
                     *         "referral": null,
                     *         "handled_by": "self",
                     *         "preview": "Your order is ready."
                     *       },
                     *       "unread_count": 2,
                     *       "window": {
                     *         "open": true,
                     *         "expires_at": "2026-02-01T09:00:00.000Z"
                     *       },
                     *       "owner": {
                     *         "role": "none",
                     *         "since": null
                     *       },
                     *       "updated_at": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": Conversation;
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /**
             * @description `reference_not_found`: A referenced resource does not exist.
             *
             *     `sender_unavailable`: No phone number is available to send from.
             *
             *     `provider_rejected`: The provider refused the request.
             *
             *     `idempotency_key_reused`: The idempotency key was used for a different request.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": Problem;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["ProviderUnavailable"];
            503: components["responses"]["Unavailable"];
        };
    };
    "contacts.listImports": {
        parameters: {
            query?: {
                /** @description The number of items in a page. */
                limit?: components["parameters"]["PageLimit"];
                /** @description The `next_cursor` of the previous page; use it with the same filters. */
                cursor?: components["parameters"]["PageCursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of results. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "imp_01jd0000000000000000000000",
                     *           "status": "running",
                     *           "format": "csv",
                     *           "mapping": {
                     *             "Mobile": "phone",
                     *             "City": "attributes.city",
                     *             "Notes": null
                     *           },
                     *           "progress": {
                     *             "rows": 12000,
                     *             "created": 11000,
                     *             "updated": 400,
                     *             "failed": 3,
                     *             "bytes": 900000,
                     *             "total_bytes": 4100000
                     *           },
                     *           "error": null,
                     *           "created_at": "2026-01-31T08:00:00.000Z",
                     *           "completed_at": null
                     *         }
                     *       ],
                     *       "next_cursor": "AZQZTgAAcACAAAAAAAAACrH2c_E"
                     *     }
                     */
                    "application/json": {
                        data: ContactImport[];
                        /**
                         * @description The `cursor` of the next page; null on the last page.
                         * @example AZQZTgAAcACAAAAAAAAACrH2c_E
                         */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "contacts.createImport": {
        parameters: {
            query?: {
                /** @description For CSV: a JSON object from the file's column names to fields: `phone id name email locale tags marketing_consent attributes`, `attributes.<name>`, or null to ignore a column, such as `{"Mobile":"phone","City":"attributes.city","Notes":null}`. A column can also be named by its place, from 1: `{"#3":"phone"}` is the third. Columns that are not named keep their own name as the field. */
                mapping?: string;
            };
            header?: {
                /** @description A unique key for this request, 1 to 255 visible ASCII characters. A repeat with the same key within 7 days returns the first response instead of running again. `Idempotency-Key` is accepted too. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example phone,name,tags,attributes.city
                 *     +15551230095,Ana Souza,vip;new,Recife
                 */
                "text/csv": string;
                /** @example {"phone":"+15551230095","name":"Ana Souza","tags":["vip"]} */
                "application/x-ndjson": string;
                /**
                 * @example {
                 *       "file": "phone,name,tags,attributes.city\n+15551230095,Ana Souza,vip;new,Recife\n"
                 *     }
                 */
                "multipart/form-data": {
                    /** @description The file. */
                    file: string;
                    /**
                     * @description As `mapping` of the query.
                     * @example {"Mobile":"phone"}
                     */
                    mapping?: string;
                };
            };
        };
        responses: {
            /** @description Accepted: stored, and processed in the background. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "imp_01jd0000000000000000000000",
                     *       "status": "running",
                     *       "format": "csv",
                     *       "mapping": {
                     *         "Mobile": "phone",
                     *         "City": "attributes.city",
                     *         "Notes": null
                     *       },
                     *       "progress": {
                     *         "rows": 12000,
                     *         "created": 11000,
                     *         "updated": 400,
                     *         "failed": 3,
                     *         "bytes": 900000,
                     *         "total_bytes": 4100000
                     *       },
                     *       "error": null,
                     *       "created_at": "2026-01-31T08:00:00.000Z",
                     *       "completed_at": null
                     *     }
                     */
                    "application/json": ContactImport;
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "contacts.getImport": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example imp_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "imp_01jd0000000000000000000000",
                     *       "status": "running",
                     *       "format": "csv",
                     *       "mapping": {
                     *         "Mobile": "phone",
                     *         "City": "attributes.city",
                     *         "Notes": null
                     *       },
                     *       "progress": {
                     *         "rows": 12000,
                     *         "created": 11000,
                     *         "updated": 400,
                     *         "failed": 3,
                     *         "bytes": 900000,
                     *         "total_bytes": 4100000
                     *       },
                     *       "error": null,
                     *       "created_at": "2026-01-31T08:00:00.000Z",
                     *       "completed_at": null
                     *     }
                     */
                    "application/json": ContactImport;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "contacts.listImportErrors": {
        parameters: {
            query?: {
                /** @description The number of items in a page. */
                limit?: components["parameters"]["PageLimit"];
                /** @description The `next_cursor` of the previous page; use it with the same filters. */
                cursor?: components["parameters"]["PageCursor"];
            };
            header?: never;
            path: {
                /** @example imp_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of results. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "row": 17,
                     *           "line": 18,
                     *           "column": "Mobile",
                     *           "code": "invalid_phone_number",
                     *           "detail": "The number must begin with `+` and a country code, and be possible in that country; it has 6 digits, and a number has 8 to 15."
                     *         }
                     *       ],
                     *       "next_cursor": "AZQZTgAAcACAAAAAAAAACrH2c_E"
                     *     }
                     */
                    "application/json": {
                        data: ContactImportError[];
                        /**
                         * @description The `cursor` of the next page; null on the last page.
                         * @example AZQZTgAAcACAAAAAAAAACrH2c_E
                         */
                        next_cursor: string | null;
                    };
                    /** @example row,line,column,code,detail */
                    "text/csv": string;
                    /**
                     * @example {
                     *       "row": 17,
                     *       "line": 18,
                     *       "column": "Mobile",
                     *       "code": "invalid_phone_number",
                     *       "detail": "The number must begin with `+` and a country code, and be possible in that country; it has 6 digits, and a number has 8 to 15."
                     *     }
                     */
                    "application/x-ndjson": ContactImportError;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "contacts.importCancel": {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique key for this request, 1 to 255 visible ASCII characters. A repeat with the same key within 7 days returns the first response instead of running again. `Idempotency-Key` is accepted too. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example imp_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "imp_01jd0000000000000000000000",
                     *       "status": "running",
                     *       "format": "csv",
                     *       "mapping": {
                     *         "Mobile": "phone",
                     *         "City": "attributes.city",
                     *         "Notes": null
                     *       },
                     *       "progress": {
                     *         "rows": 12000,
                     *         "created": 11000,
                     *         "updated": 400,
                     *         "failed": 3,
                     *         "bytes": 900000,
                     *         "total_bytes": 4100000
                     *       },
                     *       "error": null,
                     *       "created_at": "2026-01-31T08:00:00.000Z",
                     *       "completed_at": null
                     *     }
                     */
                    "application/json": ContactImport;
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "contacts.list": {
        parameters: {
            query?: {
                /** @description The number of items in a page. */
                limit?: components["parameters"]["PageLimit"];
                /** @description The `next_cursor` of the previous page; use it with the same filters. */
                cursor?: components["parameters"]["PageCursor"];
                /**
                 * @description The person with this number, in any form that the provider or people use.
                 * @example +15551230001
                 */
                phone?: string;
                /** @description Has this tag. */
                tag?: string;
                /** @description Is in this segment now. */
                segment_id?: string;
                /**
                 * @description Has this text in a name, the username, the email address, the number or the value of an attribute, whatever its case and accents. At least three characters; of a number any form, or a part of its digits.
                 * @example ana
                 */
                q?: string;
                marketing_consent?: "unknown" | "opted_in" | "opted_out";
                /**
                 * @description Only contacts created after this time.
                 * @example 2026-01-31T09:30:00Z
                 */
                created_after?: string;
                /**
                 * @description Only contacts updated after this time.
                 * @example 2026-01-31T09:30:00Z
                 */
                updated_after?: string;
                /** @description `created_at`: newest first. `updated_at`: by the last change, oldest first, to keep a copy: no change is missed, whenever it is committed. */
                sort?: "created_at" | "updated_at";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of results. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "con_01jd0000000000000000000000",
                     *           "phone": "+15551230001",
                     *           "wa_id": "15551230001",
                     *           "user_id": "US.13490000000000000001",
                     *           "parent_user_id": null,
                     *           "username": null,
                     *           "profile_name": "Ana",
                     *           "name": "Ana Souza",
                     *           "email": "ana@example.com",
                     *           "locale": "pt_BR",
                     *           "attributes": {
                     *             "city": "Recife",
                     *             "orders": 3
                     *           },
                     *           "tags": [
                     *             "vip"
                     *           ],
                     *           "marketing_consent": "unknown",
                     *           "consent_source": null,
                     *           "last_inbound_at": "2026-01-31T09:00:00.000Z",
                     *           "windows": [
                     *             {
                     *               "phone_number_id": "num_01jd0000000000000000000000",
                     *               "open": true,
                     *               "expires_at": "2026-02-01T09:00:00.000Z"
                     *             }
                     *           ],
                     *           "created_at": "2026-01-31T08:00:00.000Z",
                     *           "updated_at": "2026-01-31T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": {
                        data: (Contact | GoneContact)[];
                        /**
                         * @description The `cursor` of the next page; null on the last page.
                         * @example AZQZTgAAcACAAAAAAAAACrH2c_E
                         */
                        next_cursor: string | null;
                        /** @description Whether there is more at once. With `sort=updated_at` there is a `next_cursor` in any case: use it later, for what has changed by then. */
                        has_more: boolean;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "contacts.create": {
        parameters: {
            query?: {
                /** @description What is given changes the contact that has the number, as PATCH does; tags are added. */
                on_conflict?: "update";
            };
            header?: {
                /** @description A unique key for this request, 1 to 255 visible ASCII characters. A repeat with the same key within 7 days returns the first response instead of running again. `Idempotency-Key` is accepted too. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "phone": "+15551230091",
                 *       "name": "Ana Souza",
                 *       "tags": [
                 *         "vip"
                 *       ]
                 *     }
                 */
                "application/json": NewContact;
            };
        };
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "con_01jd0000000000000000000000",
                     *       "phone": "+15551230001",
                     *       "wa_id": "15551230001",
                     *       "user_id": "US.13490000000000000001",
                     *       "parent_user_id": null,
                     *       "username": null,
                     *       "profile_name": "Ana",
                     *       "name": "Ana Souza",
                     *       "email": "ana@example.com",
                     *       "locale": "pt_BR",
                     *       "attributes": {
                     *         "city": "Recife",
                     *         "orders": 3
                     *       },
                     *       "tags": [
                     *         "vip"
                     *       ],
                     *       "marketing_consent": "unknown",
                     *       "consent_source": null,
                     *       "last_inbound_at": "2026-01-31T09:00:00.000Z",
                     *       "windows": [
                     *         {
                     *           "phone_number_id": "num_01jd0000000000000000000000",
                     *           "open": true,
                     *           "expires_at": "2026-02-01T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "created_at": "2026-01-31T08:00:00.000Z",
                     *       "updated_at": "2026-01-31T09:00:00.000Z"
                     *     }
                     */
                    "application/json": Contact;
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "con_01jd0000000000000000000000",
                     *       "phone": "+15551230001",
                     *       "wa_id": "15551230001",
                     *       "user_id": "US.13490000000000000001",
                     *       "parent_user_id": null,
                     *       "username": null,
                     *       "profile_name": "Ana",
                     *       "name": "Ana Souza",
                     *       "email": "ana@example.com",
                     *       "locale": "pt_BR",
                     *       "attributes": {
                     *         "city": "Recife",
                     *         "orders": 3
                     *       },
                     *       "tags": [
                     *         "vip"
                     *       ],
                     *       "marketing_consent": "unknown",
                     *       "consent_source": null,
                     *       "last_inbound_at": "2026-01-31T09:00:00.000Z",
                     *       "windows": [
                     *         {
                     *           "phone_number_id": "num_01jd0000000000000000000000",
                     *           "open": true,
                     *           "expires_at": "2026-02-01T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "created_at": "2026-01-31T08:00:00.000Z",
                     *       "updated_at": "2026-01-31T09:00:00.000Z"
                     *     }
                     */
                    "application/json": Contact;
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["ContactExistsOrIdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidPhoneNumberOrIdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "contacts.listTags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "name": "vip",
                     *           "count": 120
                     *         }
                     *       ],
                     *       "complete": true
                     *     }
                     */
                    "application/json": TagList;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "contacts.export": {
        parameters: {
            query?: {
                /**
                 * @description The person with this number, in any form that the provider or people use.
                 * @example +15551230001
                 */
                phone?: string;
                /** @description Has this tag. */
                tag?: string;
                /** @description Is in this segment now. */
                segment_id?: string;
                /**
                 * @description Has this text in a name, the username, the email address, the number or the value of an attribute, whatever its case and accents. At least three characters; of a number any form, or a part of its digits.
                 * @example ana
                 */
                q?: string;
                marketing_consent?: "unknown" | "opted_in" | "opted_out";
                /**
                 * @description Only contacts created after this time.
                 * @example 2026-01-31T09:30:00Z
                 */
                created_after?: string;
                /**
                 * @description Only contacts updated after this time.
                 * @example 2026-01-31T09:30:00Z
                 */
                updated_after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example id,phone,name,email,locale,tags,attributes,marketing_consent,consent_source,wa_id,user_id,parent_user_id,username,profile_name,last_inbound_at,created_at,updated_at */
                    "text/csv": string;
                    /**
                     * @example {
                     *       "id": "con_01jd0000000000000000000000",
                     *       "phone": "+15551230001",
                     *       "wa_id": "15551230001",
                     *       "user_id": "US.13490000000000000001",
                     *       "parent_user_id": null,
                     *       "username": null,
                     *       "profile_name": "Ana",
                     *       "name": "Ana Souza",
                     *       "email": "ana@example.com",
                     *       "locale": "pt_BR",
                     *       "attributes": {
                     *         "city": "Recife",
                     *         "orders": 3
                     *       },
                     *       "tags": [
                     *         "vip"
                     *       ],
                     *       "marketing_consent": "unknown",
                     *       "consent_source": null,
                     *       "last_inbound_at": "2026-01-31T09:00:00.000Z",
                     *       "windows": [
                     *         {
                     *           "phone_number_id": "num_01jd0000000000000000000000",
                     *           "open": true,
                     *           "expires_at": "2026-02-01T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "created_at": "2026-01-31T08:00:00.000Z",
                     *       "updated_at": "2026-01-31T09:00:00.000Z"
                     *     }
                     */
                    "application/x-ndjson": Contact;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "contacts.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example con_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "con_01jd0000000000000000000000",
                     *       "phone": "+15551230001",
                     *       "wa_id": "15551230001",
                     *       "user_id": "US.13490000000000000001",
                     *       "parent_user_id": null,
                     *       "username": null,
                     *       "profile_name": "Ana",
                     *       "name": "Ana Souza",
                     *       "email": "ana@example.com",
                     *       "locale": "pt_BR",
                     *       "attributes": {
                     *         "city": "Recife",
                     *         "orders": 3
                     *       },
                     *       "tags": [
                     *         "vip"
                     *       ],
                     *       "marketing_consent": "unknown",
                     *       "consent_source": null,
                     *       "last_inbound_at": "2026-01-31T09:00:00.000Z",
                     *       "windows": [
                     *         {
                     *           "phone_number_id": "num_01jd0000000000000000000000",
                     *           "open": true,
                     *           "expires_at": "2026-02-01T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "created_at": "2026-01-31T08:00:00.000Z",
                     *       "updated_at": "2026-01-31T09:00:00.000Z"
                     *     }
                     */
                    "application/json": Contact;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "contacts.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version to change. The request fails with 412 if the resource has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @example con_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. The response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "contacts.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version to change. The request fails with 412 if the resource has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @example con_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ana Souza",
                 *       "attributes": {
                 *         "city": "Recife"
                 *       }
                 *     }
                 */
                "application/json": ContactChange;
            };
        };
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "con_01jd0000000000000000000000",
                     *       "phone": "+15551230001",
                     *       "wa_id": "15551230001",
                     *       "user_id": "US.13490000000000000001",
                     *       "parent_user_id": null,
                     *       "username": null,
                     *       "profile_name": "Ana",
                     *       "name": "Ana Souza",
                     *       "email": "ana@example.com",
                     *       "locale": "pt_BR",
                     *       "attributes": {
                     *         "city": "Recife",
                     *         "orders": 3
                     *       },
                     *       "tags": [
                     *         "vip"
                     *       ],
                     *       "marketing_consent": "unknown",
                     *       "consent_source": null,
                     *       "last_inbound_at": "2026-01-31T09:00:00.000Z",
                     *       "windows": [
                     *         {
                     *           "phone_number_id": "num_01jd0000000000000000000000",
                     *           "open": true,
                     *           "expires_at": "2026-02-01T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "created_at": "2026-01-31T08:00:00.000Z",
                     *       "updated_at": "2026-01-31T09:00:00.000Z"
                     *     }
                     */
                    "application/json": Contact;
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "contacts.batch": {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique key for this request, 1 to 255 visible ASCII characters. A repeat with the same key within 7 days returns the first response instead of running again. `Idempotency-Key` is accepted too. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "contacts": [
                 *         {
                 *           "phone": "+15551230001",
                 *           "tags": [
                 *             "vip"
                 *           ]
                 *         },
                 *         {
                 *           "phone": "+15551230002",
                 *           "name": "Ben"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description Each creates its contact, or changes the one that has the number; tags are added. */
                    contacts: NewContact[];
                };
            };
        };
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "index": 0,
                     *           "outcome": "created",
                     *           "contact": {
                     *             "id": "con_01jd0000000000000000000000",
                     *             "phone": "+15551230001",
                     *             "wa_id": "15551230001",
                     *             "user_id": "US.13490000000000000001",
                     *             "parent_user_id": null,
                     *             "username": null,
                     *             "profile_name": "Ana",
                     *             "name": "Ana Souza",
                     *             "email": "ana@example.com",
                     *             "locale": "pt_BR",
                     *             "attributes": {
                     *               "city": "Recife",
                     *               "orders": 3
                     *             },
                     *             "tags": [
                     *               "vip"
                     *             ],
                     *             "marketing_consent": "unknown",
                     *             "consent_source": null,
                     *             "last_inbound_at": "2026-01-31T09:00:00.000Z",
                     *             "windows": [
                     *               {
                     *                 "phone_number_id": "num_01jd0000000000000000000000",
                     *                 "open": true,
                     *                 "expires_at": "2026-02-01T09:00:00.000Z"
                     *               }
                     *             ],
                     *             "created_at": "2026-01-31T08:00:00.000Z",
                     *             "updated_at": "2026-01-31T09:00:00.000Z"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": ContactBatchResult;
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "contacts.createTag": {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique key for this request, 1 to 255 visible ASCII characters. A repeat with the same key within 7 days returns the first response instead of running again. `Idempotency-Key` is accepted too. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` of the version to change. The request fails with 412 if the resource has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @example con_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "tags": [
                 *         "vip"
                 *       ]
                 *     }
                 */
                "application/json": AddTags;
            };
        };
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "con_01jd0000000000000000000000",
                     *       "phone": "+15551230001",
                     *       "wa_id": "15551230001",
                     *       "user_id": "US.13490000000000000001",
                     *       "parent_user_id": null,
                     *       "username": null,
                     *       "profile_name": "Ana",
                     *       "name": "Ana Souza",
                     *       "email": "ana@example.com",
                     *       "locale": "pt_BR",
                     *       "attributes": {
                     *         "city": "Recife",
                     *         "orders": 3
                     *       },
                     *       "tags": [
                     *         "vip"
                     *       ],
                     *       "marketing_consent": "unknown",
                     *       "consent_source": null,
                     *       "last_inbound_at": "2026-01-31T09:00:00.000Z",
                     *       "windows": [
                     *         {
                     *           "phone_number_id": "num_01jd0000000000000000000000",
                     *           "open": true,
                     *           "expires_at": "2026-02-01T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "created_at": "2026-01-31T08:00:00.000Z",
                     *       "updated_at": "2026-01-31T09:00:00.000Z"
                     *     }
                     */
                    "application/json": Contact;
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "contacts.deleteTag": {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version to change. The request fails with 412 if the resource has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @example con_01jd0000000000000000000000 */
                id: string;
                /** @example vip */
                tag: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "con_01jd0000000000000000000000",
                     *       "phone": "+15551230001",
                     *       "wa_id": "15551230001",
                     *       "user_id": "US.13490000000000000001",
                     *       "parent_user_id": null,
                     *       "username": null,
                     *       "profile_name": "Ana",
                     *       "name": "Ana Souza",
                     *       "email": "ana@example.com",
                     *       "locale": "pt_BR",
                     *       "attributes": {
                     *         "city": "Recife",
                     *         "orders": 3
                     *       },
                     *       "tags": [
                     *         "vip"
                     *       ],
                     *       "marketing_consent": "unknown",
                     *       "consent_source": null,
                     *       "last_inbound_at": "2026-01-31T09:00:00.000Z",
                     *       "windows": [
                     *         {
                     *           "phone_number_id": "num_01jd0000000000000000000000",
                     *           "open": true,
                     *           "expires_at": "2026-02-01T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "created_at": "2026-01-31T08:00:00.000Z",
                     *       "updated_at": "2026-01-31T09:00:00.000Z"
                     *     }
                     */
                    "application/json": Contact;
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "contacts.merge": {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique key for this request, 1 to 255 visible ASCII characters. A repeat with the same key within 7 days returns the first response instead of running again. `Idempotency-Key` is accepted too. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` of the version to change. The request fails with 412 if the resource has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @example con_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "contact_id": "con_01jd0000000000000000000001"
                 *     }
                 */
                "application/json": MergeContact;
            };
        };
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "con_01jd0000000000000000000000",
                     *       "phone": "+15551230001",
                     *       "wa_id": "15551230001",
                     *       "user_id": "US.13490000000000000001",
                     *       "parent_user_id": null,
                     *       "username": null,
                     *       "profile_name": "Ana",
                     *       "name": "Ana Souza",
                     *       "email": "ana@example.com",
                     *       "locale": "pt_BR",
                     *       "attributes": {
                     *         "city": "Recife",
                     *         "orders": 3
                     *       },
                     *       "tags": [
                     *         "vip"
                     *       ],
                     *       "marketing_consent": "unknown",
                     *       "consent_source": null,
                     *       "last_inbound_at": "2026-01-31T09:00:00.000Z",
                     *       "windows": [
                     *         {
                     *           "phone_number_id": "num_01jd0000000000000000000000",
                     *           "open": true,
                     *           "expires_at": "2026-02-01T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "created_at": "2026-01-31T08:00:00.000Z",
                     *       "updated_at": "2026-01-31T09:00:00.000Z"
                     *     }
                     */
                    "application/json": Contact;
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ReferenceNotFoundOrIdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "segments.list": {
        parameters: {
            query?: {
                /** @description The number of items in a page. */
                limit?: components["parameters"]["PageLimit"];
                /** @description The `next_cursor` of the previous page; use it with the same filters. */
                cursor?: components["parameters"]["PageCursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of results. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "seg_01jd0000000000000000000000",
                     *           "name": "Quiet customers in Recife",
                     *           "filter": {
                     *             "all": [
                     *               {
                     *                 "field": "tags",
                     *                 "op": "contains",
                     *                 "value": "vip"
                     *               },
                     *               {
                     *                 "any": [
                     *                   {
                     *                     "field": "attributes.city",
                     *                     "op": "eq",
                     *                     "value": "Recife"
                     *                   },
                     *                   {
                     *                     "field": "locale",
                     *                     "op": "in",
                     *                     "value": [
                     *                       "pt_BR"
                     *                     ]
                     *                   }
                     *                 ]
                     *               },
                     *               {
                     *                 "not": {
                     *                   "field": "last_inbound_at",
                     *                   "op": "within_last",
                     *                   "value": "P7D"
                     *                 }
                     *               }
                     *             ]
                     *           },
                     *           "count": 1240,
                     *           "counted_at": "2026-01-31T09:00:00.000Z",
                     *           "created_at": "2026-01-31T08:00:00.000Z",
                     *           "updated_at": "2026-01-31T08:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "AZQZTgAAcACAAAAAAAAACrH2c_E"
                     *     }
                     */
                    "application/json": {
                        data: Segment[];
                        /**
                         * @description The `cursor` of the next page; null on the last page.
                         * @example AZQZTgAAcACAAAAAAAAACrH2c_E
                         */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "segments.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique key for this request, 1 to 255 visible ASCII characters. A repeat with the same key within 7 days returns the first response instead of running again. `Idempotency-Key` is accepted too. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Quiet customers in Recife",
                 *       "filter": {
                 *         "all": [
                 *           {
                 *             "field": "tags",
                 *             "op": "contains",
                 *             "value": "vip"
                 *           },
                 *           {
                 *             "any": [
                 *               {
                 *                 "field": "attributes.city",
                 *                 "op": "eq",
                 *                 "value": "Recife"
                 *               },
                 *               {
                 *                 "field": "locale",
                 *                 "op": "in",
                 *                 "value": [
                 *                   "pt_BR"
                 *                 ]
                 *               }
                 *             ]
                 *           },
                 *           {
                 *             "not": {
                 *               "field": "last_inbound_at",
                 *               "op": "within_last",
                 *               "value": "P7D"
                 *             }
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": NewSegment;
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "seg_01jd0000000000000000000000",
                     *       "name": "Quiet customers in Recife",
                     *       "filter": {
                     *         "all": [
                     *           {
                     *             "field": "tags",
                     *             "op": "contains",
                     *             "value": "vip"
                     *           },
                     *           {
                     *             "any": [
                     *               {
                     *                 "field": "attributes.city",
                     *                 "op": "eq",
                     *                 "value": "Recife"
                     *               },
                     *               {
                     *                 "field": "locale",
                     *                 "op": "in",
                     *                 "value": [
                     *                   "pt_BR"
                     *                 ]
                     *               }
                     *             ]
                     *           },
                     *           {
                     *             "not": {
                     *               "field": "last_inbound_at",
                     *               "op": "within_last",
                     *               "value": "P7D"
                     *             }
                     *           }
                     *         ]
                     *       },
                     *       "count": 1240,
                     *       "counted_at": "2026-01-31T09:00:00.000Z",
                     *       "created_at": "2026-01-31T08:00:00.000Z",
                     *       "updated_at": "2026-01-31T08:00:00.000Z"
                     *     }
                     */
                    "application/json": Segment;
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["ConflictOrIdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "segments.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example seg_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "seg_01jd0000000000000000000000",
                     *       "name": "Quiet customers in Recife",
                     *       "filter": {
                     *         "all": [
                     *           {
                     *             "field": "tags",
                     *             "op": "contains",
                     *             "value": "vip"
                     *           },
                     *           {
                     *             "any": [
                     *               {
                     *                 "field": "attributes.city",
                     *                 "op": "eq",
                     *                 "value": "Recife"
                     *               },
                     *               {
                     *                 "field": "locale",
                     *                 "op": "in",
                     *                 "value": [
                     *                   "pt_BR"
                     *                 ]
                     *               }
                     *             ]
                     *           },
                     *           {
                     *             "not": {
                     *               "field": "last_inbound_at",
                     *               "op": "within_last",
                     *               "value": "P7D"
                     *             }
                     *           }
                     *         ]
                     *       },
                     *       "count": 1240,
                     *       "counted_at": "2026-01-31T09:00:00.000Z",
                     *       "created_at": "2026-01-31T08:00:00.000Z",
                     *       "updated_at": "2026-01-31T08:00:00.000Z"
                     *     }
                     */
                    "application/json": Segment;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "segments.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version to change. The request fails with 412 if the resource has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @example seg_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. The response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "segments.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version to change. The request fails with 412 if the resource has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @example seg_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Quiet customers"
                 *     }
                 */
                "application/json": SegmentChange;
            };
        };
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "seg_01jd0000000000000000000000",
                     *       "name": "Quiet customers in Recife",
                     *       "filter": {
                     *         "all": [
                     *           {
                     *             "field": "tags",
                     *             "op": "contains",
                     *             "value": "vip"
                     *           },
                     *           {
                     *             "any": [
                     *               {
                     *                 "field": "attributes.city",
                     *                 "op": "eq",
                     *                 "value": "Recife"
                     *               },
                     *               {
                     *                 "field": "locale",
                     *                 "op": "in",
                     *                 "value": [
                     *                   "pt_BR"
                     *                 ]
                     *               }
                     *             ]
                     *           },
                     *           {
                     *             "not": {
                     *               "field": "last_inbound_at",
                     *               "op": "within_last",
                     *               "value": "P7D"
                     *             }
                     *           }
                     *         ]
                     *       },
                     *       "count": 1240,
                     *       "counted_at": "2026-01-31T09:00:00.000Z",
                     *       "created_at": "2026-01-31T08:00:00.000Z",
                     *       "updated_at": "2026-01-31T08:00:00.000Z"
                     *     }
                     */
                    "application/json": Segment;
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "segments.listContacts": {
        parameters: {
            query?: {
                /** @description The number of items in a page. */
                limit?: components["parameters"]["PageLimit"];
                /** @description The `next_cursor` of the previous page; use it with the same filters. */
                cursor?: components["parameters"]["PageCursor"];
            };
            header?: never;
            path: {
                /** @example seg_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of results. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "con_01jd0000000000000000000000",
                     *           "phone": "+15551230001",
                     *           "wa_id": "15551230001",
                     *           "user_id": "US.13490000000000000001",
                     *           "parent_user_id": null,
                     *           "username": null,
                     *           "profile_name": "Ana",
                     *           "name": "Ana Souza",
                     *           "email": "ana@example.com",
                     *           "locale": "pt_BR",
                     *           "attributes": {
                     *             "city": "Recife",
                     *             "orders": 3
                     *           },
                     *           "tags": [
                     *             "vip"
                     *           ],
                     *           "marketing_consent": "unknown",
                     *           "consent_source": null,
                     *           "last_inbound_at": "2026-01-31T09:00:00.000Z",
                     *           "windows": [
                     *             {
                     *               "phone_number_id": "num_01jd0000000000000000000000",
                     *               "open": true,
                     *               "expires_at": "2026-02-01T09:00:00.000Z"
                     *             }
                     *           ],
                     *           "created_at": "2026-01-31T08:00:00.000Z",
                     *           "updated_at": "2026-01-31T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "AZQZTgAAcACAAAAAAAAACrH2c_E"
                     *     }
                     */
                    "application/json": {
                        data: Contact[];
                        /**
                         * @description The `cursor` of the next page; null on the last page.
                         * @example AZQZTgAAcACAAAAAAAAACrH2c_E
                         */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "segments.preview": {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique key for this request, 1 to 255 visible ASCII characters. A repeat with the same key within 7 days returns the first response instead of running again. `Idempotency-Key` is accepted too. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "filter": {
                 *         "all": [
                 *           {
                 *             "field": "tags",
                 *             "op": "contains",
                 *             "value": "vip"
                 *           },
                 *           {
                 *             "any": [
                 *               {
                 *                 "field": "attributes.city",
                 *                 "op": "eq",
                 *                 "value": "Recife"
                 *               },
                 *               {
                 *                 "field": "locale",
                 *                 "op": "in",
                 *                 "value": [
                 *                   "pt_BR"
                 *                 ]
                 *               }
                 *             ]
                 *           },
                 *           {
                 *             "not": {
                 *               "field": "last_inbound_at",
                 *               "op": "within_last",
                 *               "value": "P7D"
                 *             }
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": SegmentPreviewInput;
            };
        };
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "count": 1240,
                     *       "data": [
                     *         {
                     *           "id": "con_01jd0000000000000000000000",
                     *           "phone": "+15551230001",
                     *           "wa_id": "15551230001",
                     *           "user_id": "US.13490000000000000001",
                     *           "parent_user_id": null,
                     *           "username": null,
                     *           "profile_name": "Ana",
                     *           "name": "Ana Souza",
                     *           "email": "ana@example.com",
                     *           "locale": "pt_BR",
                     *           "attributes": {
                     *             "city": "Recife",
                     *             "orders": 3
                     *           },
                     *           "tags": [
                     *             "vip"
                     *           ],
                     *           "marketing_consent": "unknown",
                     *           "consent_source": null,
                     *           "last_inbound_at": "2026-01-31T09:00:00.000Z",
                     *           "windows": [
                     *             {
                     *               "phone_number_id": "num_01jd0000000000000000000000",
                     *               "open": true,
                     *               "expires_at": "2026-02-01T09:00:00.000Z"
                     *             }
                     *           ],
                     *           "created_at": "2026-01-31T08:00:00.000Z",
                     *           "updated_at": "2026-01-31T09:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": SegmentPreview;
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "workspace.get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ws_01jd0000000000000000000000",
                     *       "name": "Acme",
                     *       "status": "active",
                     *       "created_at": "2026-01-31T09:00:00.000Z",
                     *       "updated_at": "2026-01-31T09:00:00.000Z",
                     *       "api_key": {
                     *         "id": "key_01jd0000000000000000000000",
                     *         "name": "Shop backend",
                     *         "hint": "4fVtMk",
                     *         "scopes": [
                     *           "messages:write",
                     *           "messages:read"
                     *         ],
                     *         "phone_number_ids": null,
                     *         "dedupe_by": null,
                     *         "expires_at": null,
                     *         "revoked_at": null,
                     *         "replaced_by": null,
                     *         "last_used_at": "2026-01-31T09:30:00.000Z",
                     *         "created_at": "2026-01-31T09:00:00.000Z"
                     *       },
                     *       "limits": {
                     *         "requests_per_second": 1000
                     *       },
                     *       "opt_out_keywords": {
                     *         "en": [
                     *           "STOP",
                     *           "UNSUBSCRIBE"
                     *         ],
                     *         "es": [
                     *           "BAJA"
                     *         ]
                     *       },
                     *       "opt_in_keywords": {
                     *         "en": [
                     *           "START"
                     *         ],
                     *         "es": [
                     *           "ALTA"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": OwnWorkspace;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "workspace.update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "opt_out_keywords": {
                 *         "en": [
                 *           "STOP",
                 *           "UNSUBSCRIBE"
                 *         ],
                 *         "es": [
                 *           "BAJA"
                 *         ]
                 *       },
                 *       "opt_in_keywords": null
                 *     }
                 */
                "application/json": OwnWorkspaceChange;
            };
        };
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ws_01jd0000000000000000000000",
                     *       "name": "Acme",
                     *       "status": "active",
                     *       "created_at": "2026-01-31T09:00:00.000Z",
                     *       "updated_at": "2026-01-31T09:00:00.000Z",
                     *       "api_key": {
                     *         "id": "key_01jd0000000000000000000000",
                     *         "name": "Shop backend",
                     *         "hint": "4fVtMk",
                     *         "scopes": [
                     *           "messages:write",
                     *           "messages:read"
                     *         ],
                     *         "phone_number_ids": null,
                     *         "dedupe_by": null,
                     *         "expires_at": null,
                     *         "revoked_at": null,
                     *         "replaced_by": null,
                     *         "last_used_at": "2026-01-31T09:30:00.000Z",
                     *         "created_at": "2026-01-31T09:00:00.000Z"
                     *       },
                     *       "limits": {
                     *         "requests_per_second": 1000
                     *       },
                     *       "opt_out_keywords": {
                     *         "en": [
                     *           "STOP",
                     *           "UNSUBSCRIBE"
                     *         ],
                     *         "es": [
                     *           "BAJA"
                     *         ]
                     *       },
                     *       "opt_in_keywords": {
                     *         "en": [
                     *           "START"
                     *         ],
                     *         "es": [
                     *           "ALTA"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": OwnWorkspace;
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "workspaces.list": {
        parameters: {
            query?: {
                /** @description The number of items in a page. */
                limit?: components["parameters"]["PageLimit"];
                /** @description The `next_cursor` of the previous page; use it with the same filters. */
                cursor?: components["parameters"]["PageCursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of results. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "ws_01jd0000000000000000000000",
                     *           "name": "Acme",
                     *           "status": "active",
                     *           "created_at": "2026-01-31T09:00:00.000Z",
                     *           "updated_at": "2026-01-31T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "AZQZTgAAcACAAAAAAAAACrH2c_E"
                     *     }
                     */
                    "application/json": {
                        data: Workspace[];
                        /**
                         * @description The `cursor` of the next page; null on the last page.
                         * @example AZQZTgAAcACAAAAAAAAACrH2c_E
                         */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["InvalidRequestUnlimited"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalUnlimited"];
            503: components["responses"]["UnavailableUnlimited"];
        };
    };
    "workspaces.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique key for this request, 1 to 255 visible ASCII characters. A repeat with the same key within 7 days returns the first response instead of running again. `Idempotency-Key` is accepted too. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Acme"
                 *     }
                 */
                "application/json": WorkspaceInput;
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ws_01jd0000000000000000000000",
                     *       "name": "Acme",
                     *       "status": "active",
                     *       "created_at": "2026-01-31T09:00:00.000Z",
                     *       "updated_at": "2026-01-31T09:00:00.000Z"
                     *     }
                     */
                    "application/json": Workspace;
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidJsonUnlimited"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["IdempotencyConflictUnlimited"];
            413: components["responses"]["PayloadTooLargeUnlimited"];
            415: components["responses"]["UnsupportedMediaTypeUnlimited"];
            422: components["responses"]["IdempotencyKeyReusedUnlimited"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalUnlimited"];
            503: components["responses"]["UnavailableUnlimited"];
        };
    };
    "workspaces.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ws_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ws_01jd0000000000000000000000",
                     *       "name": "Acme",
                     *       "status": "active",
                     *       "created_at": "2026-01-31T09:00:00.000Z",
                     *       "updated_at": "2026-01-31T09:00:00.000Z"
                     *     }
                     */
                    "application/json": Workspace;
                };
            };
            400: components["responses"]["InvalidRequestUnlimited"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFoundUnlimited"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalUnlimited"];
            503: components["responses"]["UnavailableUnlimited"];
        };
    };
    "workspaces.update": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ws_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Acme Ltd"
                 *     }
                 */
                "application/json": WorkspaceChange;
            };
        };
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ws_01jd0000000000000000000000",
                     *       "name": "Acme",
                     *       "status": "active",
                     *       "created_at": "2026-01-31T09:00:00.000Z",
                     *       "updated_at": "2026-01-31T09:00:00.000Z"
                     *     }
                     */
                    "application/json": Workspace;
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidJsonUnlimited"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFoundUnlimited"];
            413: components["responses"]["PayloadTooLargeUnlimited"];
            415: components["responses"]["UnsupportedMediaTypeUnlimited"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalUnlimited"];
            503: components["responses"]["UnavailableUnlimited"];
        };
    };
    "workspaces.listApiKeys": {
        parameters: {
            query?: {
                /** @description The number of items in a page. */
                limit?: components["parameters"]["PageLimit"];
                /** @description The `next_cursor` of the previous page; use it with the same filters. */
                cursor?: components["parameters"]["PageCursor"];
            };
            header?: never;
            path: {
                /** @example ws_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of results. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "key_01jd0000000000000000000000",
                     *           "name": "Shop backend",
                     *           "hint": "4fVtMk",
                     *           "scopes": [
                     *             "messages:write",
                     *             "messages:read"
                     *           ],
                     *           "phone_number_ids": null,
                     *           "dedupe_by": null,
                     *           "expires_at": null,
                     *           "revoked_at": null,
                     *           "replaced_by": null,
                     *           "last_used_at": "2026-01-31T09:30:00.000Z",
                     *           "created_at": "2026-01-31T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "AZQZTgAAcACAAAAAAAAACrH2c_E"
                     *     }
                     */
                    "application/json": {
                        data: ApiKey[];
                        /**
                         * @description The `cursor` of the next page; null on the last page.
                         * @example AZQZTgAAcACAAAAAAAAACrH2c_E
                         */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["InvalidRequestUnlimited"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFoundUnlimited"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalUnlimited"];
            503: components["responses"]["UnavailableUnlimited"];
        };
    };
    "workspaces.createApiKey": {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique key for this request, 1 to 255 visible ASCII characters. A repeat with the same key within 7 days returns the first response instead of running again. `Idempotency-Key` is accepted too. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example ws_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Shop backend",
                 *       "scopes": [
                 *         "messages:write",
                 *         "messages:read"
                 *       ]
                 *     }
                 */
                "application/json": ApiKeyInput;
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "key_01jd0000000000000000000000",
                     *       "name": "Shop backend",
                     *       "hint": "4fVtMk",
                     *       "scopes": [
                     *         "messages:write",
                     *         "messages:read"
                     *       ],
                     *       "phone_number_ids": null,
                     *       "dedupe_by": null,
                     *       "expires_at": null,
                     *       "revoked_at": null,
                     *       "replaced_by": null,
                     *       "last_used_at": null,
                     *       "created_at": "2026-01-31T09:00:00.000Z",
                     *       "key": "wp_live_4fVtMkQ0aP2xYc9LrB7sNwE3uHd5JgZ6iTo1KqXm"
                     *     }
                     */
                    "application/json": NewApiKey;
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidJsonUnlimited"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFoundUnlimited"];
            409: components["responses"]["ConflictOrIdempotencyConflictUnlimited"];
            413: components["responses"]["PayloadTooLargeUnlimited"];
            415: components["responses"]["UnsupportedMediaTypeUnlimited"];
            422: components["responses"]["IdempotencyKeyReusedUnlimited"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalUnlimited"];
            503: components["responses"]["UnavailableUnlimited"];
        };
    };
    "apiKeys.list": {
        parameters: {
            query?: {
                /** @description The number of items in a page. */
                limit?: components["parameters"]["PageLimit"];
                /** @description The `next_cursor` of the previous page; use it with the same filters. */
                cursor?: components["parameters"]["PageCursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of results. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "key_01jd0000000000000000000000",
                     *           "name": "Shop backend",
                     *           "hint": "4fVtMk",
                     *           "scopes": [
                     *             "messages:write",
                     *             "messages:read"
                     *           ],
                     *           "phone_number_ids": null,
                     *           "dedupe_by": null,
                     *           "expires_at": null,
                     *           "revoked_at": null,
                     *           "replaced_by": null,
                     *           "last_used_at": "2026-01-31T09:30:00.000Z",
                     *           "created_at": "2026-01-31T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "AZQZTgAAcACAAAAAAAAACrH2c_E"
                     *     }
                     */
                    "application/json": {
                        data: ApiKey[];
                        /**
                         * @description The `cursor` of the next page; null on the last page.
                         * @example AZQZTgAAcACAAAAAAAAACrH2c_E
                         */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "apiKeys.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique key for this request, 1 to 255 visible ASCII characters. A repeat with the same key within 7 days returns the first response instead of running again. `Idempotency-Key` is accepted too. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Shop backend",
                 *       "scopes": [
                 *         "messages:write",
                 *         "messages:read"
                 *       ]
                 *     }
                 */
                "application/json": ApiKeyInput;
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "key_01jd0000000000000000000000",
                     *       "name": "Shop backend",
                     *       "hint": "4fVtMk",
                     *       "scopes": [
                     *         "messages:write",
                     *         "messages:read"
                     *       ],
                     *       "phone_number_ids": null,
                     *       "dedupe_by": null,
                     *       "expires_at": null,
                     *       "revoked_at": null,
                     *       "replaced_by": null,
                     *       "last_used_at": null,
                     *       "created_at": "2026-01-31T09:00:00.000Z",
                     *       "key": "wp_live_4fVtMkQ0aP2xYc9LrB7sNwE3uHd5JgZ6iTo1KqXm"
                     *     }
                     */
                    "application/json": NewApiKey;
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["ConflictOrIdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "apiKeys.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example key_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "key_01jd0000000000000000000000",
                     *       "name": "Shop backend",
                     *       "hint": "4fVtMk",
                     *       "scopes": [
                     *         "messages:write",
                     *         "messages:read"
                     *       ],
                     *       "phone_number_ids": null,
                     *       "dedupe_by": null,
                     *       "expires_at": null,
                     *       "revoked_at": null,
                     *       "replaced_by": null,
                     *       "last_used_at": "2026-01-31T09:30:00.000Z",
                     *       "created_at": "2026-01-31T09:00:00.000Z"
                     *     }
                     */
                    "application/json": ApiKey;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "apiKeys.delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example key_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. The response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "apiKeys.rotate": {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique key for this request, 1 to 255 visible ASCII characters. A repeat with the same key within 7 days returns the first response instead of running again. `Idempotency-Key` is accepted too. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example key_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "overlap_seconds": 3600
                 *     }
                 */
                "application/json": RotateApiKeyInput;
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "key_01jd0000000000000000000000",
                     *       "name": "Shop backend",
                     *       "hint": "4fVtMk",
                     *       "scopes": [
                     *         "messages:write",
                     *         "messages:read"
                     *       ],
                     *       "phone_number_ids": null,
                     *       "dedupe_by": null,
                     *       "expires_at": null,
                     *       "revoked_at": null,
                     *       "replaced_by": null,
                     *       "last_used_at": null,
                     *       "created_at": "2026-01-31T09:00:00.000Z",
                     *       "key": "wp_live_4fVtMkQ0aP2xYc9LrB7sNwE3uHd5JgZ6iTo1KqXm"
                     *     }
                     */
                    "application/json": NewApiKey;
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidJson"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "audit.listActivity": {
        parameters: {
            query?: {
                /** @description The number of items in a page. */
                limit?: components["parameters"]["PageLimit"];
                /** @description The `next_cursor` of the previous page; use it with the same filters. */
                cursor?: components["parameters"]["PageCursor"];
                /** @description The id of an API key or of a setup link, or a type of actor: `api_key`, `operator`, `setup_link`, `anonymous` or `system`. */
                actor?: string;
                /** @description The action, such as `message.create`. */
                action?: string;
                /** @description The id of a resource, or a type of resource such as `message`. */
                resource?: string;
                /** @description The HTTP status of the response. */
                status?: number;
                /**
                 * @description Only calls at this time or later.
                 * @example 2026-01-31T09:30:00Z
                 */
                at_after?: string;
                /**
                 * @description Only calls before this time.
                 * @example 2026-01-31T09:30:00Z
                 */
                at_before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of results. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "aud_01jd0000000000000000000000",
                     *           "at": "2026-01-31T09:30:00.000Z",
                     *           "actor": {
                     *             "type": "api_key",
                     *             "id": "key_01jd0000000000000000000000",
                     *             "name": "Shop backend"
                     *           },
                     *           "action": "webhook_endpoint.rotate_secret",
                     *           "resource": {
                     *             "type": "webhook_endpoint",
                     *             "id": "whe_01jd0000000000000000000000"
                     *           },
                     *           "request": {
                     *             "method": "POST",
                     *             "path": "/v1/webhook-endpoints/whe_01jd0000000000000000000000/rotate-secret",
                     *             "request_id": "6f1f6d0e-3c5b-4f0e-9a55-1f0f6ab0f2c1",
                     *             "session": null,
                     *             "ip": "192.0.2.17",
                     *             "user_agent": "curl/8.5.0"
                     *           },
                     *           "response": {
                     *             "status": 200,
                     *             "code": null
                     *           },
                     *           "changes": {
                     *             "overlap_seconds": 86400
                     *           }
                     *         }
                     *       ],
                     *       "next_cursor": "AZQZTgAAcACAAAAAAAAACrH2c_E"
                     *     }
                     */
                    "application/json": {
                        data: AuditActivity[];
                        /**
                         * @description The `cursor` of the next page; null on the last page.
                         * @example AZQZTgAAcACAAAAAAAAACrH2c_E
                         */
                        next_cursor: string | null;
                    };
                    /** @example id,at,actor_type,actor_id,actor_name,action,resource_type,resource_id,method,path,request_id,ip,user_agent,session,status,code,changes */
                    "text/csv": string;
                    /**
                     * @example {
                     *       "id": "aud_01jd0000000000000000000000",
                     *       "at": "2026-01-31T09:30:00.000Z",
                     *       "actor": {
                     *         "type": "api_key",
                     *         "id": "key_01jd0000000000000000000000",
                     *         "name": "Shop backend"
                     *       },
                     *       "action": "webhook_endpoint.rotate_secret",
                     *       "resource": {
                     *         "type": "webhook_endpoint",
                     *         "id": "whe_01jd0000000000000000000000"
                     *       },
                     *       "request": {
                     *         "method": "POST",
                     *         "path": "/v1/webhook-endpoints/whe_01jd0000000000000000000000/rotate-secret",
                     *         "request_id": "6f1f6d0e-3c5b-4f0e-9a55-1f0f6ab0f2c1",
                     *         "session": null,
                     *         "ip": "192.0.2.17",
                     *         "user_agent": "curl/8.5.0"
                     *       },
                     *       "response": {
                     *         "status": 200,
                     *         "code": null
                     *       },
                     *       "changes": {
                     *         "overlap_seconds": 86400
                     *       }
                     *     }
                     */
                    "application/x-ndjson": AuditActivity;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "audit.list": {
        parameters: {
            query?: {
                /** @description The number of items in a page. */
                limit?: components["parameters"]["PageLimit"];
                /** @description The `next_cursor` of the previous page; use it with the same filters. */
                cursor?: components["parameters"]["PageCursor"];
                /** @description The id of an API key or of a setup link, or a type of actor: `api_key`, `operator`, `setup_link`, `anonymous` or `system`. */
                actor?: string;
                /** @description The action, such as `message.create`. */
                action?: string;
                /** @description The id of a resource, or a type of resource such as `message`. */
                resource?: string;
                /** @description The HTTP status of the response. */
                status?: number;
                /**
                 * @description Only calls at this time or later.
                 * @example 2026-01-31T09:30:00Z
                 */
                at_after?: string;
                /**
                 * @description Only calls before this time.
                 * @example 2026-01-31T09:30:00Z
                 */
                at_before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of results. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "aud_01jd0000000000000000000000",
                     *           "at": "2026-01-31T09:30:00.000Z",
                     *           "actor": {
                     *             "type": "api_key",
                     *             "id": "key_01jd0000000000000000000000",
                     *             "name": "Shop backend"
                     *           },
                     *           "action": "webhook_endpoint.rotate_secret",
                     *           "resource": {
                     *             "type": "webhook_endpoint",
                     *             "id": "whe_01jd0000000000000000000000"
                     *           },
                     *           "request": {
                     *             "method": "POST",
                     *             "path": "/v1/webhook-endpoints/whe_01jd0000000000000000000000/rotate-secret",
                     *             "request_id": "6f1f6d0e-3c5b-4f0e-9a55-1f0f6ab0f2c1",
                     *             "session": null,
                     *             "ip": "192.0.2.17",
                     *             "user_agent": "curl/8.5.0"
                     *           },
                     *           "response": {
                     *             "status": 200,
                     *             "code": null
                     *           },
                     *           "changes": {
                     *             "overlap_seconds": 86400
                     *           }
                     *         }
                     *       ],
                     *       "next_cursor": "AZQZTgAAcACAAAAAAAAACrH2c_E"
                     *     }
                     */
                    "application/json": {
                        data: AuditActivity[];
                        /**
                         * @description The `cursor` of the next page; null on the last page.
                         * @example AZQZTgAAcACAAAAAAAAACrH2c_E
                         */
                        next_cursor: string | null;
                    };
                    /** @example id,at,actor_type,actor_id,actor_name,action,resource_type,resource_id,method,path,request_id,ip,user_agent,session,status,code,changes */
                    "text/csv": string;
                    /**
                     * @example {
                     *       "id": "aud_01jd0000000000000000000000",
                     *       "at": "2026-01-31T09:30:00.000Z",
                     *       "actor": {
                     *         "type": "api_key",
                     *         "id": "key_01jd0000000000000000000000",
                     *         "name": "Shop backend"
                     *       },
                     *       "action": "webhook_endpoint.rotate_secret",
                     *       "resource": {
                     *         "type": "webhook_endpoint",
                     *         "id": "whe_01jd0000000000000000000000"
                     *       },
                     *       "request": {
                     *         "method": "POST",
                     *         "path": "/v1/webhook-endpoints/whe_01jd0000000000000000000000/rotate-secret",
                     *         "request_id": "6f1f6d0e-3c5b-4f0e-9a55-1f0f6ab0f2c1",
                     *         "session": null,
                     *         "ip": "192.0.2.17",
                     *         "user_agent": "curl/8.5.0"
                     *       },
                     *       "response": {
                     *         "status": 200,
                     *         "code": null
                     *       },
                     *       "changes": {
                     *         "overlap_seconds": 86400
                     *       }
                     *     }
                     */
                    "application/x-ndjson": AuditActivity;
                };
            };
            400: components["responses"]["InvalidRequestUnlimited"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalUnlimited"];
            503: components["responses"]["UnavailableUnlimited"];
        };
    };
    "usage.get": {
        parameters: {
            query?: {
                /**
                 * @description Only days after this one; the last 31 days without it.
                 * @example 2026-01-31
                 */
                day_after?: string;
                /**
                 * @description Only days before this one.
                 * @example 2026-01-31
                 */
                day_before?: string;
                /** @description The id of one of your phone numbers. */
                phone_number_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "day": "2026-01-31",
                     *           "direction": "outbound",
                     *           "status": "delivered",
                     *           "category": "utility",
                     *           "phone_number_id": "num_01jd0000000000000000000000",
                     *           "count": 1200,
                     *           "billable": 1180,
                     *           "cost": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": Usage;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "metrics.messages": {
        parameters: {
            query?: {
                /**
                 * @description Only intervals that begin at this time or later; without it, those of a day.
                 * @example 2026-01-31T09:30:00Z
                 */
                at_after?: string;
                /**
                 * @description Only intervals that begin before this time.
                 * @example 2026-01-31T09:30:00Z
                 */
                at_before?: string;
                /** @description How long an interval is, `1h` without it. A day is one in UTC. */
                interval?: "5m" | "1h" | "1d";
                /** @description What is counted apart; without it all are counted together. */
                group_by?: "status" | "category" | "template" | "phone_number_id" | "error_code";
                /** @description The id of one of your phone numbers. */
                phone_number_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "at": "2026-01-31T09:00:00.000Z",
                     *           "count": 1180,
                     *           "p50_ms": 1930,
                     *           "p95_ms": 7120
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": MessageMetrics;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "metrics.deliveries": {
        parameters: {
            query?: {
                /**
                 * @description Only intervals that begin at this time or later; without it, those of a day.
                 * @example 2026-01-31T09:30:00Z
                 */
                at_after?: string;
                /**
                 * @description Only intervals that begin before this time.
                 * @example 2026-01-31T09:30:00Z
                 */
                at_before?: string;
                /** @description How long an interval is, `1h` without it. A day is one in UTC. */
                interval?: "5m" | "1h" | "1d";
                /** @description What is counted apart; without it all are counted together. */
                group_by?: "status" | "webhook_endpoint_id";
                /** @description The id of one of your endpoints. */
                webhook_endpoint_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "at": "2026-01-31T09:00:00.000Z",
                     *           "count": 3540,
                     *           "p50_ms": 84,
                     *           "p95_ms": 310
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": DeliveryMetrics;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    "quarantine.list": {
        parameters: {
            query?: {
                /** @description The number of items in a page. */
                limit?: components["parameters"]["PageLimit"];
                /** @description The `next_cursor` of the previous page; use it with the same filters. */
                cursor?: components["parameters"]["PageCursor"];
                reason?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of results. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "qrn_01m0gtakn7fdn8z9d4qzk2v0xy",
                     *           "reason": "failed",
                     *           "detail": "23514 message message_type_check",
                     *           "provider_phone_number_id": "1055",
                     *           "provider_account_id": "9001",
                     *           "replays": 2,
                     *           "next_replay_at": "2026-02-01T10:16:00.000Z",
                     *           "created_at": "2026-02-01T10:15:00.000Z",
                     *           "replayed_at": null
                     *         }
                     *       ],
                     *       "next_cursor": "AZQZTgAAcACAAAAAAAAACrH2c_E"
                     *     }
                     */
                    "application/json": {
                        data: QuarantinedChange[];
                        /**
                         * @description The `cursor` of the next page; null on the last page.
                         * @example AZQZTgAAcACAAAAAAAAACrH2c_E
                         */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["InvalidRequestUnlimited"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalUnlimited"];
            503: components["responses"]["UnavailableUnlimited"];
        };
    };
    "quarantine.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example qrn_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "qrn_01m0gtakn7fdn8z9d4qzk2v0xy",
                     *       "reason": "failed",
                     *       "detail": "23514 message message_type_check",
                     *       "provider_phone_number_id": "1055",
                     *       "provider_account_id": "9001",
                     *       "replays": 2,
                     *       "next_replay_at": "2026-02-01T10:16:00.000Z",
                     *       "created_at": "2026-02-01T10:15:00.000Z",
                     *       "replayed_at": null,
                     *       "change": null,
                     *       "callback": {
                     *         "received_at": "2026-02-01T10:15:00.000Z",
                     *         "encoding": "utf-8",
                     *         "body": "{\"object\":\"whatsapp_business_account\",\"entry\":[{\"id\":\"9001\",\"changes\":[]}]}"
                     *       }
                     *     }
                     */
                    "application/json": QuarantinedCallback;
                };
            };
            400: components["responses"]["InvalidRequestUnlimited"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFoundUnlimited"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalUnlimited"];
            503: components["responses"]["UnavailableUnlimited"];
        };
    };
    "quarantine.replay": {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique key for this request, 1 to 255 visible ASCII characters. A repeat with the same key within 7 days returns the first response instead of running again. `Idempotency-Key` is accepted too. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example qrn_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted: stored, and processed in the background. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "qrn_01m0gtakn7fdn8z9d4qzk2v0xy",
                     *       "reason": "failed",
                     *       "detail": "23514 message message_type_check",
                     *       "provider_phone_number_id": "1055",
                     *       "provider_account_id": "9001",
                     *       "replays": 2,
                     *       "next_replay_at": "2026-02-01T10:16:00.000Z",
                     *       "created_at": "2026-02-01T10:15:00.000Z",
                     *       "replayed_at": null
                     *     }
                     */
                    "application/json": QuarantinedChange;
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidJsonUnlimited"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFoundUnlimited"];
            409: components["responses"]["ConflictOrIdempotencyConflictUnlimited"];
            413: components["responses"]["PayloadTooLargeUnlimited"];
            415: components["responses"]["UnsupportedMediaTypeUnlimited"];
            422: components["responses"]["IdempotencyKeyReusedUnlimited"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalUnlimited"];
            503: components["responses"]["UnavailableUnlimited"];
        };
    };
    "quarantine.replayAll": {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique key for this request, 1 to 255 visible ASCII characters. A repeat with the same key within 7 days returns the first response instead of running again. `Idempotency-Key` is accepted too. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "unrecognized"
                 *     }
                 */
                "application/json": QuarantineReplay;
            };
        };
        responses: {
            /** @description Accepted: stored, and processed in the background. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "replayed": 12,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": QuarantineReplayed;
                };
            };
            400: components["responses"]["InvalidRequestOrInvalidJsonUnlimited"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["IdempotencyConflictUnlimited"];
            413: components["responses"]["PayloadTooLargeUnlimited"];
            415: components["responses"]["UnsupportedMediaTypeUnlimited"];
            422: components["responses"]["IdempotencyKeyReusedUnlimited"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalUnlimited"];
            503: components["responses"]["UnavailableUnlimited"];
        };
    };
    "system.get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the resource. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "version": "0.2.0",
                     *       "processes": [
                     *         {
                     *           "id": "01936f6c-0000-7000-8000-000000000000",
                     *           "roles": [
                     *             "api",
                     *             "ingress",
                     *             "dispatch",
                     *             "deliver",
                     *             "maintenance"
                     *           ],
                     *           "version": "0.2.0",
                     *           "slots": {
                     *             "dispatch": 64,
                     *             "deliver": 64,
                     *             "ingest": 64,
                     *             "task": 64,
                     *             "redeliver": 64,
                     *             "fetch": 64
                     *           },
                     *           "lease_expires_at": "2026-01-31T09:00:12.000Z"
                     *         }
                     *       ],
                     *       "queues": [
                     *         {
                     *           "kind": "dispatch",
                     *           "rows": 12,
                     *           "slots": 64,
                     *           "slots_owned": 64,
                     *           "oldest_due_at": "2026-01-31T08:59:59.000Z"
                     *         }
                     *       ],
                     *       "database": {
                     *         "version": "18.1",
                     *         "size_bytes": 41943040
                     *       },
                     *       "migrations": {
                     *         "applied": 87,
                     *         "latest": "0087_signup_redirect",
                     *         "pending": []
                     *       }
                     *     }
                     */
                    "application/json": System;
                };
            };
            400: components["responses"]["InvalidRequestUnlimited"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalUnlimited"];
            503: components["responses"]["UnavailableUnlimited"];
        };
    };
    "mediaContent.getSigned": {
        parameters: {
            query?: never;
            header?: {
                /** @description One range of bytes, such as `bytes=0-1023`. For several ranges the whole is sent. */
                Range?: components["parameters"]["Range"];
                /** @description The `ETag` of the file that the part is to be of: without a match the whole is sent. */
                "If-Range"?: components["parameters"]["IfRange"];
                /** @description The `ETag` of the file that you have: the answer is 304 while it is this one. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @example AZQZTgAAcACAAAAAAAAACrH2cE */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example The bytes of the file */
                    "application/octet-stream": string;
                };
            };
            /** @description The part that `Range` asks for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example The bytes of the file */
                    "application/octet-stream": string;
                };
            };
            /** @description The file is the one that `If-None-Match` names. The response has no body. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestUnlimited"];
            404: components["responses"]["NotFoundUnlimited"];
            /** @description `Range` begins behind the end of the file; `Content-Range` says how long that is. The response has no body. */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            500: components["responses"]["InternalUnlimited"];
            503: components["responses"]["UnavailableUnlimited"];
        };
    };
    "webhooks.getReceive": {
        parameters: {
            query: {
                /** @example subscribe */
                "hub.mode": "subscribe";
                /** @example your-verify-token */
                "hub.verify_token": string;
                /** @example 1158201444 */
                "hub.challenge": string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The challenge, unchanged. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example 1158201444 */
                    "text/plain": string;
                };
            };
            400: components["responses"]["InvalidRequestUnlimited"];
            /** @description The token does not match, or `PROVIDER_VERIFY_TOKEN` is not set. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example the verify token is wrong */
                    "text/plain": string;
                };
            };
            500: components["responses"]["InternalUnlimited"];
        };
    };
    "webhooks.postReceive": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description HMAC-SHA256 over the bytes of the body, with the app's secret.
                 * @example sha256=61c38ca929d8ee1bdc9cd9b9cbd4ba2e54b1a5ac1ba7a6a9d3bb5ae1fd2dbbc4
                 */
                "X-Hub-Signature-256": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "object": "whatsapp_business_account",
                 *       "entry": [
                 *         {
                 *           "id": "9001",
                 *           "changes": [
                 *             {
                 *               "field": "messages",
                 *               "value": {
                 *                 "messaging_product": "whatsapp",
                 *                 "metadata": {
                 *                   "display_phone_number": "15559990000",
                 *                   "phone_number_id": "1055"
                 *                 },
                 *                 "contacts": [
                 *                   {
                 *                     "profile": {
                 *                       "name": "Ana"
                 *                     },
                 *                     "wa_id": "15551230001"
                 *                   }
                 *                 ],
                 *                 "messages": [
                 *                   {
                 *                     "from": "15551230001",
                 *                     "id": "wamid.HBgLMTU1NTEyMzAwMDEVAgASGBQzQTRBNjU5OUFFRTAzODEwMTQ0RgA=",
                 *                     "timestamp": "1769851800",
                 *                     "type": "text",
                 *                     "text": {
                 *                       "body": "Where is my order?"
                 *                     }
                 *                   }
                 *                 ]
                 *               }
                 *             }
                 *           ]
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Committed; also what is signed and not understood, which is kept for the operator. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example ok */
                    "text/plain": string;
                };
            };
            400: components["responses"]["InvalidRequestUnlimited"];
            /** @description The signature is missing or wrong. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example the signature is missing or wrong */
                    "text/plain": string;
                };
            };
            413: components["responses"]["PayloadTooLargeUnlimited"];
            500: components["responses"]["InternalUnlimited"];
            /** @description Not stored; the provider sends it again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example not stored */
                    "text/plain": string;
                };
            };
        };
    };
    "healthz.get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process is running. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "version": "0.2.0"
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "ok";
                        version: string;
                    };
                };
            };
            400: components["responses"]["InvalidRequestUnlimited"];
            500: components["responses"]["InternalUnlimited"];
        };
    };
    "readyz.get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every check passes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ready",
                     *       "checks": [
                     *         {
                     *           "name": "database",
                     *           "ok": true,
                     *           "detail": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "ready";
                        checks: {
                            name: string;
                            ok: boolean;
                            /** @description Why the check fails */
                            detail: string | null;
                        }[];
                    };
                };
            };
            400: components["responses"]["InvalidRequestUnlimited"];
            500: components["responses"]["InternalUnlimited"];
            /** @description At least one check fails. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "not_ready",
                     *       "checks": [
                     *         {
                     *           "name": "database",
                     *           "ok": false,
                     *           "detail": "no answer within 2 seconds"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "not_ready";
                        checks: {
                            name: string;
                            ok: boolean;
                            /** @description Why the check fails */
                            detail: string | null;
                        }[];
                    };
                };
            };
        };
    };
    "webhook.messages": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "messages",
                 *       "category": "inbound_message",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "message": {
                 *           "id": "msg_01jd0000000000000000000000",
                 *           "direction": "inbound",
                 *           "status": "received",
                 *           "final": true,
                 *           "to": "+15559990000",
                 *           "from": "+15551230001",
                 *           "phone_number_id": "num_01jd0000000000000000000000",
                 *           "contact_id": "con_01jd0000000000000000000000",
                 *           "type": "text",
                 *           "reply_to": null,
                 *           "reference": null,
                 *           "category": null,
                 *           "pricing": null,
                 *           "error": null,
                 *           "provider_message_id": "wamid.HBgLMTU1NTEyMzAwMDEVAgASGBQzQTdG",
                 *           "possible_duplicate": false,
                 *           "created_at": "2026-01-31T09:30:00.000Z",
                 *           "estimated_dispatch_at": "2026-01-31T09:30:01.000Z",
                 *           "send_at": null,
                 *           "expires_at": null,
                 *           "accepted_at": null,
                 *           "sent_at": null,
                 *           "delivered_at": null,
                 *           "read_at": null,
                 *           "failed_at": null,
                 *           "sequence": 17,
                 *           "text": {
                 *             "body": "Is it still there?"
                 *           },
                 *           "occurred_at": "2026-01-31T09:29:58.000Z",
                 *           "context": {
                 *             "from": "15559990000",
                 *             "id": "wamid.HBgLMTU1NTEyMzAwMDEVAgARGBI5QTNDQTVCM0Q0"
                 *           },
                 *           "referral": null,
                 *           "handled_by": "self"
                 *         },
                 *         "contact": {
                 *           "id": "con_01jd0000000000000000000000",
                 *           "phone": "+15551230001",
                 *           "wa_id": "15551230001",
                 *           "user_id": "US.13490000000000000001",
                 *           "parent_user_id": null,
                 *           "username": null,
                 *           "profile_name": "Ana",
                 *           "name": "Ana Souza",
                 *           "email": "ana@example.com",
                 *           "locale": "pt_BR",
                 *           "attributes": {
                 *             "city": "Recife",
                 *             "orders": 3
                 *           },
                 *           "tags": [
                 *             "vip"
                 *           ],
                 *           "marketing_consent": "unknown",
                 *           "consent_source": null,
                 *           "created_at": "2026-01-31T08:00:00.000Z",
                 *           "updated_at": "2026-01-31T09:00:00.000Z"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": InboundMessageEvent & {
                    /** @constant */
                    kind?: "messages";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.standbyMessages": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "standby_messages",
                 *       "category": "inbound_message",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "message": {
                 *           "id": "msg_01jd0000000000000000000000",
                 *           "direction": "inbound",
                 *           "status": "received",
                 *           "final": true,
                 *           "to": "+15559990000",
                 *           "from": "+15551230001",
                 *           "phone_number_id": "num_01jd0000000000000000000000",
                 *           "contact_id": "con_01jd0000000000000000000000",
                 *           "type": "text",
                 *           "reply_to": null,
                 *           "reference": null,
                 *           "category": null,
                 *           "pricing": null,
                 *           "error": null,
                 *           "provider_message_id": "wamid.HBgLMTU1NTEyMzAwMDEVAgASGBQzQTdG",
                 *           "possible_duplicate": false,
                 *           "created_at": "2026-01-31T09:30:00.000Z",
                 *           "estimated_dispatch_at": "2026-01-31T09:30:01.000Z",
                 *           "send_at": null,
                 *           "expires_at": null,
                 *           "accepted_at": null,
                 *           "sent_at": null,
                 *           "delivered_at": null,
                 *           "read_at": null,
                 *           "failed_at": null,
                 *           "sequence": 17,
                 *           "text": {
                 *             "body": "Is it still there?"
                 *           },
                 *           "occurred_at": "2026-01-31T09:29:58.000Z",
                 *           "context": {
                 *             "from": "15559990000",
                 *             "id": "wamid.HBgLMTU1NTEyMzAwMDEVAgARGBI5QTNDQTVCM0Q0"
                 *           },
                 *           "referral": null,
                 *           "handled_by": "self"
                 *         },
                 *         "contact": {
                 *           "id": "con_01jd0000000000000000000000",
                 *           "phone": "+15551230001",
                 *           "wa_id": "15551230001",
                 *           "user_id": "US.13490000000000000001",
                 *           "parent_user_id": null,
                 *           "username": null,
                 *           "profile_name": "Ana",
                 *           "name": "Ana Souza",
                 *           "email": "ana@example.com",
                 *           "locale": "pt_BR",
                 *           "attributes": {
                 *             "city": "Recife",
                 *             "orders": 3
                 *           },
                 *           "tags": [
                 *             "vip"
                 *           ],
                 *           "marketing_consent": "unknown",
                 *           "consent_source": null,
                 *           "created_at": "2026-01-31T08:00:00.000Z",
                 *           "updated_at": "2026-01-31T09:00:00.000Z"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": InboundMessageEvent & {
                    /** @constant */
                    kind?: "standby_messages";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.accepted": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "accepted",
                 *       "category": "message_status",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "message": {
                 *           "id": "msg_01jd0000000000000000000000",
                 *           "direction": "outbound",
                 *           "status": "accepted",
                 *           "final": false,
                 *           "to": "+15551230001",
                 *           "from": "+15559990000",
                 *           "phone_number_id": "num_01jd0000000000000000000000",
                 *           "contact_id": "con_01jd0000000000000000000000",
                 *           "type": "template",
                 *           "template": {
                 *             "name": "order_ready",
                 *             "language": {
                 *               "code": "en_US"
                 *             }
                 *           },
                 *           "reply_to": null,
                 *           "reference": null,
                 *           "category": "utility",
                 *           "pricing": {
                 *             "billable": true,
                 *             "pricing_model": "PMP",
                 *             "category": "utility",
                 *             "type": "regular"
                 *           },
                 *           "error": null,
                 *           "provider_message_id": "wamid.HBgLMTU1NTEyMzAwMDEVAgARGBI5QTNDQTVCM0Q0Q0Q2RTY3RTcA",
                 *           "possible_duplicate": false,
                 *           "created_at": "2026-01-31T09:30:00.000Z",
                 *           "estimated_dispatch_at": "2026-01-31T09:30:01.000Z",
                 *           "send_at": null,
                 *           "expires_at": null,
                 *           "accepted_at": "2026-01-31T09:30:00.412Z",
                 *           "sent_at": null,
                 *           "delivered_at": null,
                 *           "read_at": null,
                 *           "failed_at": null,
                 *           "sequence": 17,
                 *           "occurred_at": null,
                 *           "context": null,
                 *           "referral": null,
                 *           "handled_by": "self"
                 *         },
                 *         "status": "accepted",
                 *         "occurred_at": "2026-01-31T09:30:00.412Z",
                 *         "error": null
                 *       }
                 *     }
                 */
                "application/json": MessageStatusEvent & {
                    /** @constant */
                    kind?: "accepted";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.sent": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "sent",
                 *       "category": "message_status",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "message": {
                 *           "id": "msg_01jd0000000000000000000000",
                 *           "direction": "outbound",
                 *           "status": "sent",
                 *           "final": false,
                 *           "to": "+15551230001",
                 *           "from": "+15559990000",
                 *           "phone_number_id": "num_01jd0000000000000000000000",
                 *           "contact_id": "con_01jd0000000000000000000000",
                 *           "type": "template",
                 *           "template": {
                 *             "name": "order_ready",
                 *             "language": {
                 *               "code": "en_US"
                 *             }
                 *           },
                 *           "reply_to": null,
                 *           "reference": null,
                 *           "category": "utility",
                 *           "pricing": {
                 *             "billable": true,
                 *             "pricing_model": "PMP",
                 *             "category": "utility",
                 *             "type": "regular"
                 *           },
                 *           "error": null,
                 *           "provider_message_id": "wamid.HBgLMTU1NTEyMzAwMDEVAgARGBI5QTNDQTVCM0Q0Q0Q2RTY3RTcA",
                 *           "possible_duplicate": false,
                 *           "created_at": "2026-01-31T09:30:00.000Z",
                 *           "estimated_dispatch_at": "2026-01-31T09:30:01.000Z",
                 *           "send_at": null,
                 *           "expires_at": null,
                 *           "accepted_at": "2026-01-31T09:30:00.412Z",
                 *           "sent_at": "2026-01-31T09:30:01.000Z",
                 *           "delivered_at": null,
                 *           "read_at": null,
                 *           "failed_at": null,
                 *           "sequence": 17,
                 *           "occurred_at": null,
                 *           "context": null,
                 *           "referral": null,
                 *           "handled_by": "self"
                 *         },
                 *         "status": "sent",
                 *         "occurred_at": "2026-01-31T09:30:01.000Z",
                 *         "error": null
                 *       }
                 *     }
                 */
                "application/json": MessageStatusEvent & {
                    /** @constant */
                    kind?: "sent";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.delivered": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "delivered",
                 *       "category": "message_status",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "message": {
                 *           "id": "msg_01jd0000000000000000000000",
                 *           "direction": "outbound",
                 *           "status": "delivered",
                 *           "final": false,
                 *           "to": "+15551230001",
                 *           "from": "+15559990000",
                 *           "phone_number_id": "num_01jd0000000000000000000000",
                 *           "contact_id": "con_01jd0000000000000000000000",
                 *           "type": "template",
                 *           "template": {
                 *             "name": "order_ready",
                 *             "language": {
                 *               "code": "en_US"
                 *             }
                 *           },
                 *           "reply_to": null,
                 *           "reference": null,
                 *           "category": "utility",
                 *           "pricing": {
                 *             "billable": true,
                 *             "pricing_model": "PMP",
                 *             "category": "utility",
                 *             "type": "regular"
                 *           },
                 *           "error": null,
                 *           "provider_message_id": "wamid.HBgLMTU1NTEyMzAwMDEVAgARGBI5QTNDQTVCM0Q0Q0Q2RTY3RTcA",
                 *           "possible_duplicate": false,
                 *           "created_at": "2026-01-31T09:30:00.000Z",
                 *           "estimated_dispatch_at": "2026-01-31T09:30:01.000Z",
                 *           "send_at": null,
                 *           "expires_at": null,
                 *           "accepted_at": "2026-01-31T09:30:00.412Z",
                 *           "sent_at": "2026-01-31T09:30:01.000Z",
                 *           "delivered_at": "2026-01-31T09:30:02.000Z",
                 *           "read_at": null,
                 *           "failed_at": null,
                 *           "sequence": 17,
                 *           "occurred_at": null,
                 *           "context": null,
                 *           "referral": null,
                 *           "handled_by": "self"
                 *         },
                 *         "status": "delivered",
                 *         "occurred_at": "2026-01-31T09:30:02.000Z",
                 *         "error": null
                 *       }
                 *     }
                 */
                "application/json": MessageStatusEvent & {
                    /** @constant */
                    kind?: "delivered";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.read": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "read",
                 *       "category": "message_status",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "message": {
                 *           "id": "msg_01jd0000000000000000000000",
                 *           "direction": "outbound",
                 *           "status": "read",
                 *           "final": true,
                 *           "to": "+15551230001",
                 *           "from": "+15559990000",
                 *           "phone_number_id": "num_01jd0000000000000000000000",
                 *           "contact_id": "con_01jd0000000000000000000000",
                 *           "type": "template",
                 *           "template": {
                 *             "name": "order_ready",
                 *             "language": {
                 *               "code": "en_US"
                 *             }
                 *           },
                 *           "reply_to": null,
                 *           "reference": null,
                 *           "category": "utility",
                 *           "pricing": {
                 *             "billable": true,
                 *             "pricing_model": "PMP",
                 *             "category": "utility",
                 *             "type": "regular"
                 *           },
                 *           "error": null,
                 *           "provider_message_id": "wamid.HBgLMTU1NTEyMzAwMDEVAgARGBI5QTNDQTVCM0Q0Q0Q2RTY3RTcA",
                 *           "possible_duplicate": false,
                 *           "created_at": "2026-01-31T09:30:00.000Z",
                 *           "estimated_dispatch_at": "2026-01-31T09:30:01.000Z",
                 *           "send_at": null,
                 *           "expires_at": null,
                 *           "accepted_at": "2026-01-31T09:30:00.412Z",
                 *           "sent_at": "2026-01-31T09:30:01.000Z",
                 *           "delivered_at": "2026-01-31T09:30:02.000Z",
                 *           "read_at": "2026-01-31T09:31:07.000Z",
                 *           "failed_at": null,
                 *           "sequence": 17,
                 *           "occurred_at": null,
                 *           "context": null,
                 *           "referral": null,
                 *           "handled_by": "self"
                 *         },
                 *         "status": "read",
                 *         "occurred_at": "2026-01-31T09:31:07.000Z",
                 *         "error": null
                 *       }
                 *     }
                 */
                "application/json": MessageStatusEvent & {
                    /** @constant */
                    kind?: "read";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.played": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "played",
                 *       "category": "message_status",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "message": {
                 *           "id": "msg_01jd0000000000000000000000",
                 *           "direction": "outbound",
                 *           "status": "read",
                 *           "final": true,
                 *           "to": "+15551230001",
                 *           "from": "+15559990000",
                 *           "phone_number_id": "num_01jd0000000000000000000000",
                 *           "contact_id": "con_01jd0000000000000000000000",
                 *           "type": "template",
                 *           "template": {
                 *             "name": "order_ready",
                 *             "language": {
                 *               "code": "en_US"
                 *             }
                 *           },
                 *           "reply_to": null,
                 *           "reference": null,
                 *           "category": "utility",
                 *           "pricing": {
                 *             "billable": true,
                 *             "pricing_model": "PMP",
                 *             "category": "utility",
                 *             "type": "regular"
                 *           },
                 *           "error": null,
                 *           "provider_message_id": "wamid.HBgLMTU1NTEyMzAwMDEVAgARGBI5QTNDQTVCM0Q0Q0Q2RTY3RTcA",
                 *           "possible_duplicate": false,
                 *           "created_at": "2026-01-31T09:30:00.000Z",
                 *           "estimated_dispatch_at": "2026-01-31T09:30:01.000Z",
                 *           "send_at": null,
                 *           "expires_at": null,
                 *           "accepted_at": "2026-01-31T09:30:00.412Z",
                 *           "sent_at": "2026-01-31T09:30:01.000Z",
                 *           "delivered_at": "2026-01-31T09:30:02.000Z",
                 *           "read_at": "2026-01-31T09:31:07.000Z",
                 *           "failed_at": null,
                 *           "sequence": 17,
                 *           "occurred_at": null,
                 *           "context": null,
                 *           "referral": null,
                 *           "handled_by": "self"
                 *         },
                 *         "status": "played",
                 *         "occurred_at": "2026-01-31T09:31:07.000Z",
                 *         "error": null
                 *       }
                 *     }
                 */
                "application/json": MessageStatusEvent & {
                    /** @constant */
                    kind?: "played";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.failed": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "failed",
                 *       "category": "message_status",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "message": {
                 *           "id": "msg_01jd0000000000000000000000",
                 *           "direction": "outbound",
                 *           "status": "failed",
                 *           "final": true,
                 *           "to": "+15551230001",
                 *           "from": "+15559990000",
                 *           "phone_number_id": "num_01jd0000000000000000000000",
                 *           "contact_id": "con_01jd0000000000000000000000",
                 *           "type": "template",
                 *           "template": {
                 *             "name": "order_ready",
                 *             "language": {
                 *               "code": "en_US"
                 *             }
                 *           },
                 *           "reply_to": null,
                 *           "reference": null,
                 *           "category": "utility",
                 *           "pricing": {
                 *             "billable": true,
                 *             "pricing_model": "PMP",
                 *             "category": "utility",
                 *             "type": "regular"
                 *           },
                 *           "error": {
                 *             "code": "recipient_unreachable",
                 *             "title": "The person cannot be reached",
                 *             "detail": "The provider could not deliver the message.",
                 *             "retryable": false,
                 *             "remedy": "The number is not on WhatsApp, has not accepted its terms or uses an old client. Use another channel."
                 *           },
                 *           "provider_message_id": "wamid.HBgLMTU1NTEyMzAwMDEVAgARGBI5QTNDQTVCM0Q0Q0Q2RTY3RTcA",
                 *           "possible_duplicate": false,
                 *           "created_at": "2026-01-31T09:30:00.000Z",
                 *           "estimated_dispatch_at": "2026-01-31T09:30:01.000Z",
                 *           "send_at": null,
                 *           "expires_at": null,
                 *           "accepted_at": null,
                 *           "sent_at": null,
                 *           "delivered_at": null,
                 *           "read_at": null,
                 *           "failed_at": "2026-01-31T09:30:05.000Z",
                 *           "sequence": 17,
                 *           "occurred_at": null,
                 *           "context": null,
                 *           "referral": null,
                 *           "handled_by": "self"
                 *         },
                 *         "status": "failed",
                 *         "occurred_at": "2026-01-31T09:30:05.000Z",
                 *         "error": {
                 *           "code": "recipient_unreachable",
                 *           "title": "The person cannot be reached",
                 *           "detail": "The provider could not deliver the message.",
                 *           "retryable": false,
                 *           "remedy": "The number is not on WhatsApp, has not accepted its terms or uses an old client. Use another channel."
                 *         }
                 *       }
                 *     }
                 */
                "application/json": MessageStatusEvent & {
                    /** @constant */
                    kind?: "failed";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.unknown": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "unknown",
                 *       "category": "message_status",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "message": {
                 *           "id": "msg_01jd0000000000000000000000",
                 *           "direction": "outbound",
                 *           "status": "unknown",
                 *           "final": false,
                 *           "to": "+15551230001",
                 *           "from": "+15559990000",
                 *           "phone_number_id": "num_01jd0000000000000000000000",
                 *           "contact_id": "con_01jd0000000000000000000000",
                 *           "type": "template",
                 *           "template": {
                 *             "name": "order_ready",
                 *             "language": {
                 *               "code": "en_US"
                 *             }
                 *           },
                 *           "reply_to": null,
                 *           "reference": null,
                 *           "category": "utility",
                 *           "pricing": null,
                 *           "error": null,
                 *           "provider_message_id": null,
                 *           "possible_duplicate": false,
                 *           "created_at": "2026-01-31T09:30:00.000Z",
                 *           "estimated_dispatch_at": "2026-01-31T09:30:01.000Z",
                 *           "send_at": null,
                 *           "expires_at": null,
                 *           "accepted_at": null,
                 *           "sent_at": null,
                 *           "delivered_at": null,
                 *           "read_at": null,
                 *           "failed_at": null,
                 *           "sequence": 17,
                 *           "occurred_at": null,
                 *           "context": null,
                 *           "referral": null,
                 *           "handled_by": "self"
                 *         },
                 *         "status": "unknown",
                 *         "occurred_at": "2026-01-31T09:30:05.000Z",
                 *         "error": null
                 *       }
                 *     }
                 */
                "application/json": MessageStatusEvent & {
                    /** @constant */
                    kind?: "unknown";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.canceled": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "canceled",
                 *       "category": "message_status",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "message": {
                 *           "id": "msg_01jd0000000000000000000000",
                 *           "direction": "outbound",
                 *           "status": "canceled",
                 *           "final": true,
                 *           "to": "+15551230001",
                 *           "from": "+15559990000",
                 *           "phone_number_id": "num_01jd0000000000000000000000",
                 *           "contact_id": "con_01jd0000000000000000000000",
                 *           "type": "template",
                 *           "template": {
                 *             "name": "order_ready",
                 *             "language": {
                 *               "code": "en_US"
                 *             }
                 *           },
                 *           "reply_to": null,
                 *           "reference": null,
                 *           "category": "utility",
                 *           "pricing": null,
                 *           "error": null,
                 *           "provider_message_id": null,
                 *           "possible_duplicate": false,
                 *           "created_at": "2026-01-31T09:30:00.000Z",
                 *           "estimated_dispatch_at": "2026-01-31T09:30:01.000Z",
                 *           "send_at": null,
                 *           "expires_at": null,
                 *           "accepted_at": null,
                 *           "sent_at": null,
                 *           "delivered_at": null,
                 *           "read_at": null,
                 *           "failed_at": null,
                 *           "sequence": 17,
                 *           "occurred_at": null,
                 *           "context": null,
                 *           "referral": null,
                 *           "handled_by": "self"
                 *         },
                 *         "status": "canceled",
                 *         "occurred_at": "2026-01-31T09:30:05.000Z",
                 *         "error": null
                 *       }
                 *     }
                 */
                "application/json": MessageStatusEvent & {
                    /** @constant */
                    kind?: "canceled";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.expired": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "expired",
                 *       "category": "message_status",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "message": {
                 *           "id": "msg_01jd0000000000000000000000",
                 *           "direction": "outbound",
                 *           "status": "expired",
                 *           "final": true,
                 *           "to": "+15551230001",
                 *           "from": "+15559990000",
                 *           "phone_number_id": "num_01jd0000000000000000000000",
                 *           "contact_id": "con_01jd0000000000000000000000",
                 *           "type": "template",
                 *           "template": {
                 *             "name": "order_ready",
                 *             "language": {
                 *               "code": "en_US"
                 *             }
                 *           },
                 *           "reply_to": null,
                 *           "reference": null,
                 *           "category": "utility",
                 *           "pricing": null,
                 *           "error": {
                 *             "code": "expired",
                 *             "title": "The message expired before it was sent",
                 *             "detail": "The message was not sent in time.",
                 *             "retryable": true,
                 *             "remedy": "Send again with a later expires_at."
                 *           },
                 *           "provider_message_id": null,
                 *           "possible_duplicate": false,
                 *           "created_at": "2026-01-31T09:30:00.000Z",
                 *           "estimated_dispatch_at": "2026-01-31T09:30:01.000Z",
                 *           "send_at": null,
                 *           "expires_at": null,
                 *           "accepted_at": null,
                 *           "sent_at": null,
                 *           "delivered_at": null,
                 *           "read_at": null,
                 *           "failed_at": null,
                 *           "sequence": 17,
                 *           "occurred_at": null,
                 *           "context": null,
                 *           "referral": null,
                 *           "handled_by": "self"
                 *         },
                 *         "status": "expired",
                 *         "occurred_at": "2026-01-31T09:30:05.000Z",
                 *         "error": {
                 *           "code": "expired",
                 *           "title": "The message expired before it was sent",
                 *           "detail": "The message was not sent in time.",
                 *           "retryable": true,
                 *           "remedy": "Send again with a later expires_at."
                 *         }
                 *       }
                 *     }
                 */
                "application/json": MessageStatusEvent & {
                    /** @constant */
                    kind?: "expired";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.messageDeleted": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "message_deleted",
                 *       "category": "message_status",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "message": {
                 *           "id": "msg_01jd0000000000000000000000",
                 *           "direction": "outbound",
                 *           "status": "sent",
                 *           "final": false,
                 *           "to": "+15551230001",
                 *           "from": "+15559990000",
                 *           "phone_number_id": "num_01jd0000000000000000000000",
                 *           "contact_id": "con_01jd0000000000000000000000",
                 *           "type": "template",
                 *           "template": {
                 *             "name": "order_ready",
                 *             "language": {
                 *               "code": "en_US"
                 *             }
                 *           },
                 *           "reply_to": null,
                 *           "reference": null,
                 *           "category": "utility",
                 *           "pricing": {
                 *             "billable": true,
                 *             "pricing_model": "PMP",
                 *             "category": "utility",
                 *             "type": "regular"
                 *           },
                 *           "error": null,
                 *           "provider_message_id": "wamid.HBgLMTU1NTEyMzAwMDEVAgARGBI5QTNDQTVCM0Q0Q0Q2RTY3RTcA",
                 *           "possible_duplicate": false,
                 *           "created_at": "2026-01-31T09:30:00.000Z",
                 *           "estimated_dispatch_at": "2026-01-31T09:30:01.000Z",
                 *           "send_at": null,
                 *           "expires_at": null,
                 *           "accepted_at": "2026-01-31T09:30:00.412Z",
                 *           "sent_at": "2026-01-31T09:30:01.000Z",
                 *           "delivered_at": null,
                 *           "read_at": null,
                 *           "failed_at": null,
                 *           "sequence": 17,
                 *           "occurred_at": null,
                 *           "context": null,
                 *           "referral": null,
                 *           "handled_by": "self"
                 *         },
                 *         "status": "deleted",
                 *         "occurred_at": "2026-01-31T09:30:01.000Z",
                 *         "error": null
                 *       }
                 *     }
                 */
                "application/json": MessageStatusEvent & {
                    /** @constant */
                    kind?: "message_deleted";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.warning": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "warning",
                 *       "category": "message_status",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "message": {
                 *           "id": "msg_01jd0000000000000000000000",
                 *           "direction": "outbound",
                 *           "status": "sent",
                 *           "final": false,
                 *           "to": "+15551230001",
                 *           "from": "+15559990000",
                 *           "phone_number_id": "num_01jd0000000000000000000000",
                 *           "contact_id": "con_01jd0000000000000000000000",
                 *           "type": "template",
                 *           "template": {
                 *             "name": "order_ready",
                 *             "language": {
                 *               "code": "en_US"
                 *             }
                 *           },
                 *           "reply_to": null,
                 *           "reference": null,
                 *           "category": "utility",
                 *           "pricing": {
                 *             "billable": true,
                 *             "pricing_model": "PMP",
                 *             "category": "utility",
                 *             "type": "regular"
                 *           },
                 *           "error": null,
                 *           "provider_message_id": "wamid.HBgLMTU1NTEyMzAwMDEVAgARGBI5QTNDQTVCM0Q0Q0Q2RTY3RTcA",
                 *           "possible_duplicate": false,
                 *           "created_at": "2026-01-31T09:30:00.000Z",
                 *           "estimated_dispatch_at": "2026-01-31T09:30:01.000Z",
                 *           "send_at": null,
                 *           "expires_at": null,
                 *           "accepted_at": "2026-01-31T09:30:00.412Z",
                 *           "sent_at": "2026-01-31T09:30:01.000Z",
                 *           "delivered_at": null,
                 *           "read_at": null,
                 *           "failed_at": null,
                 *           "sequence": 17,
                 *           "occurred_at": null,
                 *           "context": null,
                 *           "referral": null,
                 *           "handled_by": "self"
                 *         },
                 *         "status": "warning",
                 *         "occurred_at": "2026-01-31T09:30:01.000Z",
                 *         "error": null
                 *       }
                 *     }
                 */
                "application/json": MessageStatusEvent & {
                    /** @constant */
                    kind?: "warning";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.paymentUpdated": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "payment_updated",
                 *       "category": "message_status",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "message": {
                 *           "id": "msg_01jd0000000000000000000000",
                 *           "direction": "outbound",
                 *           "status": "read",
                 *           "final": true,
                 *           "to": "+15551230001",
                 *           "from": "+15559990000",
                 *           "phone_number_id": "num_01jd0000000000000000000000",
                 *           "contact_id": "con_01jd0000000000000000000000",
                 *           "type": "template",
                 *           "template": {
                 *             "name": "order_ready",
                 *             "language": {
                 *               "code": "en_US"
                 *             }
                 *           },
                 *           "reply_to": null,
                 *           "reference": null,
                 *           "category": "utility",
                 *           "pricing": {
                 *             "billable": true,
                 *             "pricing_model": "PMP",
                 *             "category": "utility",
                 *             "type": "regular"
                 *           },
                 *           "error": null,
                 *           "provider_message_id": "wamid.HBgLMTU1NTEyMzAwMDEVAgARGBI5QTNDQTVCM0Q0Q0Q2RTY3RTcA",
                 *           "possible_duplicate": false,
                 *           "created_at": "2026-01-31T09:30:00.000Z",
                 *           "estimated_dispatch_at": "2026-01-31T09:30:01.000Z",
                 *           "send_at": null,
                 *           "expires_at": null,
                 *           "accepted_at": "2026-01-31T09:30:00.412Z",
                 *           "sent_at": "2026-01-31T09:30:01.000Z",
                 *           "delivered_at": "2026-01-31T09:30:02.000Z",
                 *           "read_at": "2026-01-31T09:31:07.000Z",
                 *           "failed_at": null,
                 *           "sequence": 17,
                 *           "occurred_at": null,
                 *           "context": null,
                 *           "referral": null,
                 *           "handled_by": "self"
                 *         },
                 *         "payment": {
                 *           "reference": "order-17",
                 *           "status": "captured"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": PaymentEvent & {
                    /** @constant */
                    kind?: "payment_updated";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.mediaAvailable": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "media_available",
                 *       "category": "media",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "media": {
                 *           "id": "med_01jd0000000000000000000000",
                 *           "type": "document",
                 *           "mime_type": "application/pdf",
                 *           "size": 48213,
                 *           "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                 *           "filename": null,
                 *           "status": "available",
                 *           "error": null,
                 *           "source": "inbound",
                 *           "message_id": "msg_01jd0000000000000000000000",
                 *           "content_url": null,
                 *           "content_url_expires_at": null,
                 *           "created_at": "2026-01-31T09:30:00.000Z"
                 *         },
                 *         "message_id": "msg_01jd0000000000000000000000",
                 *         "contact_id": "con_01jd0000000000000000000000"
                 *       }
                 *     }
                 */
                "application/json": MediaEvent & {
                    /** @constant */
                    kind?: "media_available";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.mediaFailed": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "media_failed",
                 *       "category": "media",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "media": {
                 *           "id": "med_01jd0000000000000000000000",
                 *           "type": "document",
                 *           "mime_type": "application/pdf",
                 *           "size": null,
                 *           "sha256": null,
                 *           "filename": null,
                 *           "status": "failed",
                 *           "error": {
                 *             "code": "media_failed",
                 *             "detail": "The provider no longer has the file.",
                 *             "retryable": false
                 *           },
                 *           "source": "inbound",
                 *           "message_id": "msg_01jd0000000000000000000000",
                 *           "content_url": null,
                 *           "content_url_expires_at": null,
                 *           "created_at": "2026-01-31T09:30:00.000Z"
                 *         },
                 *         "message_id": "msg_01jd0000000000000000000000",
                 *         "contact_id": "con_01jd0000000000000000000000"
                 *       }
                 *     }
                 */
                "application/json": MediaEvent & {
                    /** @constant */
                    kind?: "media_failed";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.pending": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "pending",
                 *       "category": "template_status",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "template": {
                 *           "id": "tpl_01jd0000000000000000000000",
                 *           "business_account_id": "acc_01jd0000000000000000000000",
                 *           "provider_template_id": "1689556908129833",
                 *           "name": "order_update",
                 *           "language": {
                 *             "code": "en_US"
                 *           },
                 *           "category": "utility",
                 *           "status": "pending",
                 *           "quality": "green",
                 *           "components": [
                 *             {
                 *               "type": "BODY",
                 *               "text": "Hi {{1}}, your order {{2}} is on its way.",
                 *               "example": {
                 *                 "body_text": [
                 *                   [
                 *                     "Ana",
                 *                     "A17"
                 *                   ]
                 *                 ]
                 *               }
                 *             }
                 *           ],
                 *           "parameter_format": "positional",
                 *           "rejection_reason": null,
                 *           "created_at": "2026-01-31T09:00:00.000Z",
                 *           "updated_at": "2026-01-31T09:00:00.000Z"
                 *         },
                 *         "previous_status": null,
                 *         "reason": null,
                 *         "detail": null
                 *       }
                 *     }
                 */
                "application/json": TemplateStatusEvent & {
                    /** @constant */
                    kind?: "pending";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.approved": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "approved",
                 *       "category": "template_status",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "template": {
                 *           "id": "tpl_01jd0000000000000000000000",
                 *           "business_account_id": "acc_01jd0000000000000000000000",
                 *           "provider_template_id": "1689556908129833",
                 *           "name": "order_update",
                 *           "language": {
                 *             "code": "en_US"
                 *           },
                 *           "category": "utility",
                 *           "status": "approved",
                 *           "quality": "green",
                 *           "components": [
                 *             {
                 *               "type": "BODY",
                 *               "text": "Hi {{1}}, your order {{2}} is on its way.",
                 *               "example": {
                 *                 "body_text": [
                 *                   [
                 *                     "Ana",
                 *                     "A17"
                 *                   ]
                 *                 ]
                 *               }
                 *             }
                 *           ],
                 *           "parameter_format": "positional",
                 *           "rejection_reason": null,
                 *           "created_at": "2026-01-31T09:00:00.000Z",
                 *           "updated_at": "2026-01-31T09:00:00.000Z"
                 *         },
                 *         "previous_status": "pending",
                 *         "reason": null,
                 *         "detail": null
                 *       }
                 *     }
                 */
                "application/json": TemplateStatusEvent & {
                    /** @constant */
                    kind?: "approved";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.rejected": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "rejected",
                 *       "category": "template_status",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "template": {
                 *           "id": "tpl_01jd0000000000000000000000",
                 *           "business_account_id": "acc_01jd0000000000000000000000",
                 *           "provider_template_id": "1689556908129833",
                 *           "name": "order_update",
                 *           "language": {
                 *             "code": "en_US"
                 *           },
                 *           "category": "utility",
                 *           "status": "rejected",
                 *           "quality": "green",
                 *           "components": [
                 *             {
                 *               "type": "BODY",
                 *               "text": "Hi {{1}}, your order {{2}} is on its way.",
                 *               "example": {
                 *                 "body_text": [
                 *                   [
                 *                     "Ana",
                 *                     "A17"
                 *                   ]
                 *                 ]
                 *               }
                 *             }
                 *           ],
                 *           "parameter_format": "positional",
                 *           "rejection_reason": "INVALID_FORMAT",
                 *           "created_at": "2026-01-31T09:00:00.000Z",
                 *           "updated_at": "2026-01-31T09:00:00.000Z"
                 *         },
                 *         "previous_status": "pending",
                 *         "reason": "INVALID_FORMAT",
                 *         "detail": null
                 *       }
                 *     }
                 */
                "application/json": TemplateStatusEvent & {
                    /** @constant */
                    kind?: "rejected";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.paused": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "paused",
                 *       "category": "template_status",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "template": {
                 *           "id": "tpl_01jd0000000000000000000000",
                 *           "business_account_id": "acc_01jd0000000000000000000000",
                 *           "provider_template_id": "1689556908129833",
                 *           "name": "order_update",
                 *           "language": {
                 *             "code": "en_US"
                 *           },
                 *           "category": "utility",
                 *           "status": "paused",
                 *           "quality": "green",
                 *           "components": [
                 *             {
                 *               "type": "BODY",
                 *               "text": "Hi {{1}}, your order {{2}} is on its way.",
                 *               "example": {
                 *                 "body_text": [
                 *                   [
                 *                     "Ana",
                 *                     "A17"
                 *                   ]
                 *                 ]
                 *               }
                 *             }
                 *           ],
                 *           "parameter_format": "positional",
                 *           "rejection_reason": null,
                 *           "created_at": "2026-01-31T09:00:00.000Z",
                 *           "updated_at": "2026-01-31T09:00:00.000Z"
                 *         },
                 *         "previous_status": "approved",
                 *         "reason": null,
                 *         "detail": null
                 *       }
                 *     }
                 */
                "application/json": TemplateStatusEvent & {
                    /** @constant */
                    kind?: "paused";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.disabled": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "disabled",
                 *       "category": "template_status",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "template": {
                 *           "id": "tpl_01jd0000000000000000000000",
                 *           "business_account_id": "acc_01jd0000000000000000000000",
                 *           "provider_template_id": "1689556908129833",
                 *           "name": "order_update",
                 *           "language": {
                 *             "code": "en_US"
                 *           },
                 *           "category": "utility",
                 *           "status": "disabled",
                 *           "quality": "green",
                 *           "components": [
                 *             {
                 *               "type": "BODY",
                 *               "text": "Hi {{1}}, your order {{2}} is on its way.",
                 *               "example": {
                 *                 "body_text": [
                 *                   [
                 *                     "Ana",
                 *                     "A17"
                 *                   ]
                 *                 ]
                 *               }
                 *             }
                 *           ],
                 *           "parameter_format": "positional",
                 *           "rejection_reason": null,
                 *           "created_at": "2026-01-31T09:00:00.000Z",
                 *           "updated_at": "2026-01-31T09:00:00.000Z"
                 *         },
                 *         "previous_status": "approved",
                 *         "reason": null,
                 *         "detail": null
                 *       }
                 *     }
                 */
                "application/json": TemplateStatusEvent & {
                    /** @constant */
                    kind?: "disabled";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.inAppeal": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "in_appeal",
                 *       "category": "template_status",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "template": {
                 *           "id": "tpl_01jd0000000000000000000000",
                 *           "business_account_id": "acc_01jd0000000000000000000000",
                 *           "provider_template_id": "1689556908129833",
                 *           "name": "order_update",
                 *           "language": {
                 *             "code": "en_US"
                 *           },
                 *           "category": "utility",
                 *           "status": "in_appeal",
                 *           "quality": "green",
                 *           "components": [
                 *             {
                 *               "type": "BODY",
                 *               "text": "Hi {{1}}, your order {{2}} is on its way.",
                 *               "example": {
                 *                 "body_text": [
                 *                   [
                 *                     "Ana",
                 *                     "A17"
                 *                   ]
                 *                 ]
                 *               }
                 *             }
                 *           ],
                 *           "parameter_format": "positional",
                 *           "rejection_reason": null,
                 *           "created_at": "2026-01-31T09:00:00.000Z",
                 *           "updated_at": "2026-01-31T09:00:00.000Z"
                 *         },
                 *         "previous_status": "approved",
                 *         "reason": null,
                 *         "detail": null
                 *       }
                 *     }
                 */
                "application/json": TemplateStatusEvent & {
                    /** @constant */
                    kind?: "in_appeal";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.flagged": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "flagged",
                 *       "category": "template_status",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "template": {
                 *           "id": "tpl_01jd0000000000000000000000",
                 *           "business_account_id": "acc_01jd0000000000000000000000",
                 *           "provider_template_id": "1689556908129833",
                 *           "name": "order_update",
                 *           "language": {
                 *             "code": "en_US"
                 *           },
                 *           "category": "utility",
                 *           "status": "flagged",
                 *           "quality": "green",
                 *           "components": [
                 *             {
                 *               "type": "BODY",
                 *               "text": "Hi {{1}}, your order {{2}} is on its way.",
                 *               "example": {
                 *                 "body_text": [
                 *                   [
                 *                     "Ana",
                 *                     "A17"
                 *                   ]
                 *                 ]
                 *               }
                 *             }
                 *           ],
                 *           "parameter_format": "positional",
                 *           "rejection_reason": null,
                 *           "created_at": "2026-01-31T09:00:00.000Z",
                 *           "updated_at": "2026-01-31T09:00:00.000Z"
                 *         },
                 *         "previous_status": "approved",
                 *         "reason": null,
                 *         "detail": null
                 *       }
                 *     }
                 */
                "application/json": TemplateStatusEvent & {
                    /** @constant */
                    kind?: "flagged";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.limitExceeded": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "limit_exceeded",
                 *       "category": "template_status",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "template": {
                 *           "id": "tpl_01jd0000000000000000000000",
                 *           "business_account_id": "acc_01jd0000000000000000000000",
                 *           "provider_template_id": "1689556908129833",
                 *           "name": "order_update",
                 *           "language": {
                 *             "code": "en_US"
                 *           },
                 *           "category": "utility",
                 *           "status": "limit_exceeded",
                 *           "quality": "green",
                 *           "components": [
                 *             {
                 *               "type": "BODY",
                 *               "text": "Hi {{1}}, your order {{2}} is on its way.",
                 *               "example": {
                 *                 "body_text": [
                 *                   [
                 *                     "Ana",
                 *                     "A17"
                 *                   ]
                 *                 ]
                 *               }
                 *             }
                 *           ],
                 *           "parameter_format": "positional",
                 *           "rejection_reason": null,
                 *           "created_at": "2026-01-31T09:00:00.000Z",
                 *           "updated_at": "2026-01-31T09:00:00.000Z"
                 *         },
                 *         "previous_status": "approved",
                 *         "reason": null,
                 *         "detail": null
                 *       }
                 *     }
                 */
                "application/json": TemplateStatusEvent & {
                    /** @constant */
                    kind?: "limit_exceeded";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.locked": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "locked",
                 *       "category": "template_status",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "template": {
                 *           "id": "tpl_01jd0000000000000000000000",
                 *           "business_account_id": "acc_01jd0000000000000000000000",
                 *           "provider_template_id": "1689556908129833",
                 *           "name": "order_update",
                 *           "language": {
                 *             "code": "en_US"
                 *           },
                 *           "category": "utility",
                 *           "status": "locked",
                 *           "quality": "green",
                 *           "components": [
                 *             {
                 *               "type": "BODY",
                 *               "text": "Hi {{1}}, your order {{2}} is on its way.",
                 *               "example": {
                 *                 "body_text": [
                 *                   [
                 *                     "Ana",
                 *                     "A17"
                 *                   ]
                 *                 ]
                 *               }
                 *             }
                 *           ],
                 *           "parameter_format": "positional",
                 *           "rejection_reason": null,
                 *           "created_at": "2026-01-31T09:00:00.000Z",
                 *           "updated_at": "2026-01-31T09:00:00.000Z"
                 *         },
                 *         "previous_status": "approved",
                 *         "reason": null,
                 *         "detail": null
                 *       }
                 *     }
                 */
                "application/json": TemplateStatusEvent & {
                    /** @constant */
                    kind?: "locked";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.pendingDeletion": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "pending_deletion",
                 *       "category": "template_status",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "template": {
                 *           "id": "tpl_01jd0000000000000000000000",
                 *           "business_account_id": "acc_01jd0000000000000000000000",
                 *           "provider_template_id": "1689556908129833",
                 *           "name": "order_update",
                 *           "language": {
                 *             "code": "en_US"
                 *           },
                 *           "category": "utility",
                 *           "status": "pending_deletion",
                 *           "quality": "green",
                 *           "components": [
                 *             {
                 *               "type": "BODY",
                 *               "text": "Hi {{1}}, your order {{2}} is on its way.",
                 *               "example": {
                 *                 "body_text": [
                 *                   [
                 *                     "Ana",
                 *                     "A17"
                 *                   ]
                 *                 ]
                 *               }
                 *             }
                 *           ],
                 *           "parameter_format": "positional",
                 *           "rejection_reason": null,
                 *           "created_at": "2026-01-31T09:00:00.000Z",
                 *           "updated_at": "2026-01-31T09:00:00.000Z"
                 *         },
                 *         "previous_status": "approved",
                 *         "reason": null,
                 *         "detail": null
                 *       }
                 *     }
                 */
                "application/json": TemplateStatusEvent & {
                    /** @constant */
                    kind?: "pending_deletion";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.deleted": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "deleted",
                 *       "category": "template_status",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "template": {
                 *           "id": "tpl_01jd0000000000000000000000",
                 *           "business_account_id": "acc_01jd0000000000000000000000",
                 *           "provider_template_id": "1689556908129833",
                 *           "name": "order_update",
                 *           "language": {
                 *             "code": "en_US"
                 *           },
                 *           "category": "utility",
                 *           "status": "deleted",
                 *           "quality": "green",
                 *           "components": [
                 *             {
                 *               "type": "BODY",
                 *               "text": "Hi {{1}}, your order {{2}} is on its way.",
                 *               "example": {
                 *                 "body_text": [
                 *                   [
                 *                     "Ana",
                 *                     "A17"
                 *                   ]
                 *                 ]
                 *               }
                 *             }
                 *           ],
                 *           "parameter_format": "positional",
                 *           "rejection_reason": null,
                 *           "created_at": "2026-01-31T09:00:00.000Z",
                 *           "updated_at": "2026-01-31T09:00:00.000Z"
                 *         },
                 *         "previous_status": "approved",
                 *         "reason": null,
                 *         "detail": null
                 *       }
                 *     }
                 */
                "application/json": TemplateStatusEvent & {
                    /** @constant */
                    kind?: "deleted";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.archived": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "archived",
                 *       "category": "template_status",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "template": {
                 *           "id": "tpl_01jd0000000000000000000000",
                 *           "business_account_id": "acc_01jd0000000000000000000000",
                 *           "provider_template_id": "1689556908129833",
                 *           "name": "order_update",
                 *           "language": {
                 *             "code": "en_US"
                 *           },
                 *           "category": "utility",
                 *           "status": "archived",
                 *           "quality": "green",
                 *           "components": [
                 *             {
                 *               "type": "BODY",
                 *               "text": "Hi {{1}}, your order {{2}} is on its way.",
                 *               "example": {
                 *                 "body_text": [
                 *                   [
                 *                     "Ana",
                 *                     "A17"
                 *                   ]
                 *                 ]
                 *               }
                 *             }
                 *           ],
                 *           "parameter_format": "positional",
                 *           "rejection_reason": null,
                 *           "created_at": "2026-01-31T09:00:00.000Z",
                 *           "updated_at": "2026-01-31T09:00:00.000Z"
                 *         },
                 *         "previous_status": "approved",
                 *         "reason": null,
                 *         "detail": null
                 *       }
                 *     }
                 */
                "application/json": TemplateStatusEvent & {
                    /** @constant */
                    kind?: "archived";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.templateQualityChanged": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "template_quality_changed",
                 *       "category": "template",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "template": {
                 *           "id": "tpl_01jd0000000000000000000000",
                 *           "business_account_id": "acc_01jd0000000000000000000000",
                 *           "provider_template_id": "1689556908129833",
                 *           "name": "order_update",
                 *           "language": {
                 *             "code": "en_US"
                 *           },
                 *           "category": "utility",
                 *           "status": "approved",
                 *           "quality": "green",
                 *           "components": [
                 *             {
                 *               "type": "BODY",
                 *               "text": "Hi {{1}}, your order {{2}} is on its way.",
                 *               "example": {
                 *                 "body_text": [
                 *                   [
                 *                     "Ana",
                 *                     "A17"
                 *                   ]
                 *                 ]
                 *               }
                 *             }
                 *           ],
                 *           "parameter_format": "positional",
                 *           "rejection_reason": null,
                 *           "created_at": "2026-01-31T09:00:00.000Z",
                 *           "updated_at": "2026-01-31T09:00:00.000Z"
                 *         },
                 *         "previous": "unknown",
                 *         "current": "green"
                 *       }
                 *     }
                 */
                "application/json": TemplateEvent & {
                    /** @constant */
                    kind?: "template_quality_changed";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.templateCategoryChanged": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "template_category_changed",
                 *       "category": "template",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "template": {
                 *           "id": "tpl_01jd0000000000000000000000",
                 *           "business_account_id": "acc_01jd0000000000000000000000",
                 *           "provider_template_id": "1689556908129833",
                 *           "name": "order_update",
                 *           "language": {
                 *             "code": "en_US"
                 *           },
                 *           "category": "utility",
                 *           "status": "approved",
                 *           "quality": "green",
                 *           "components": [
                 *             {
                 *               "type": "BODY",
                 *               "text": "Hi {{1}}, your order {{2}} is on its way.",
                 *               "example": {
                 *                 "body_text": [
                 *                   [
                 *                     "Ana",
                 *                     "A17"
                 *                   ]
                 *                 ]
                 *               }
                 *             }
                 *           ],
                 *           "parameter_format": "positional",
                 *           "rejection_reason": null,
                 *           "created_at": "2026-01-31T09:00:00.000Z",
                 *           "updated_at": "2026-01-31T09:00:00.000Z"
                 *         },
                 *         "previous": "marketing",
                 *         "current": "utility",
                 *         "effective_at": null
                 *       }
                 *     }
                 */
                "application/json": TemplateEvent & {
                    /** @constant */
                    kind?: "template_category_changed";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.templateComponentsChanged": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "template_components_changed",
                 *       "category": "template",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "template": {
                 *           "id": "tpl_01jd0000000000000000000000",
                 *           "business_account_id": "acc_01jd0000000000000000000000",
                 *           "provider_template_id": "1689556908129833",
                 *           "name": "order_update",
                 *           "language": {
                 *             "code": "en_US"
                 *           },
                 *           "category": "utility",
                 *           "status": "approved",
                 *           "quality": "green",
                 *           "components": [
                 *             {
                 *               "type": "BODY",
                 *               "text": "Hi {{1}}, your order {{2}} is on its way.",
                 *               "example": {
                 *                 "body_text": [
                 *                   [
                 *                     "Ana",
                 *                     "A17"
                 *                   ]
                 *                 ]
                 *               }
                 *             }
                 *           ],
                 *           "parameter_format": "positional",
                 *           "rejection_reason": null,
                 *           "created_at": "2026-01-31T09:00:00.000Z",
                 *           "updated_at": "2026-01-31T09:00:00.000Z"
                 *         },
                 *         "previous": [
                 *           {
                 *             "type": "BODY",
                 *             "text": "Hi {{1}}, your order {{2}} is here."
                 *           }
                 *         ],
                 *         "current": [
                 *           {
                 *             "type": "BODY",
                 *             "text": "Hi {{1}}, your order {{2}} is on its way.",
                 *             "example": {
                 *               "body_text": [
                 *                 [
                 *                   "Ana",
                 *                   "A17"
                 *                 ]
                 *               ]
                 *             }
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": TemplateEvent & {
                    /** @constant */
                    kind?: "template_components_changed";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.endpointFailing": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "endpoint_failing",
                 *       "category": "operational",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "webhook_endpoint": {
                 *           "id": "whe_01jd0000000000000000000000",
                 *           "url": "https://example.com/hooks",
                 *           "format": "waypost",
                 *           "fields": [],
                 *           "events": [
                 *             "messages",
                 *             "delivered",
                 *             "failed"
                 *           ],
                 *           "description": "Shop backend",
                 *           "ordered": false,
                 *           "phone_number_ids": null,
                 *           "business_account_ids": null,
                 *           "headers": [
                 *             "authorization"
                 *           ],
                 *           "timeout_seconds": 15,
                 *           "rate_per_second": null,
                 *           "enabled": true,
                 *           "status": "failing",
                 *           "disabled_reason": null,
                 *           "created_at": "2026-01-31T09:00:00.000Z",
                 *           "updated_at": "2026-01-31T09:00:00.000Z"
                 *         },
                 *         "reason": "failing_for_1_hour"
                 *       }
                 *     }
                 */
                "application/json": OperationalEvent & {
                    /** @constant */
                    kind?: "endpoint_failing";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.endpointDisabled": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "endpoint_disabled",
                 *       "category": "operational",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "webhook_endpoint": {
                 *           "id": "whe_01jd0000000000000000000000",
                 *           "url": "https://example.com/hooks",
                 *           "format": "waypost",
                 *           "fields": [],
                 *           "events": [
                 *             "messages",
                 *             "delivered",
                 *             "failed"
                 *           ],
                 *           "description": "Shop backend",
                 *           "ordered": false,
                 *           "phone_number_ids": null,
                 *           "business_account_ids": null,
                 *           "headers": [
                 *             "authorization"
                 *           ],
                 *           "timeout_seconds": 15,
                 *           "rate_per_second": null,
                 *           "enabled": false,
                 *           "status": "disabled",
                 *           "disabled_reason": "gone",
                 *           "created_at": "2026-01-31T09:00:00.000Z",
                 *           "updated_at": "2026-01-31T09:00:00.000Z"
                 *         },
                 *         "reason": "gone"
                 *       }
                 *     }
                 */
                "application/json": OperationalEvent & {
                    /** @constant */
                    kind?: "endpoint_disabled";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.endpointTest": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "endpoint_test",
                 *       "category": "operational",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "webhook_endpoint": {
                 *           "id": "whe_01jd0000000000000000000000",
                 *           "url": "https://example.com/hooks",
                 *           "format": "waypost",
                 *           "fields": [],
                 *           "events": [
                 *             "messages",
                 *             "delivered",
                 *             "failed"
                 *           ],
                 *           "description": "Shop backend",
                 *           "ordered": false,
                 *           "phone_number_ids": null,
                 *           "business_account_ids": null,
                 *           "headers": [
                 *             "authorization"
                 *           ],
                 *           "timeout_seconds": 15,
                 *           "rate_per_second": null,
                 *           "enabled": true,
                 *           "status": "active",
                 *           "disabled_reason": null,
                 *           "created_at": "2026-01-31T09:00:00.000Z",
                 *           "updated_at": "2026-01-31T09:00:00.000Z"
                 *         },
                 *         "reason": null
                 *       }
                 *     }
                 */
                "application/json": OperationalEvent & {
                    /** @constant */
                    kind?: "endpoint_test";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.permissionsChanged": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "permissions_changed",
                 *       "category": "account",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "business_account": {
                 *           "id": "acc_01jd0000000000000000000000",
                 *           "provider_account_id": "9001",
                 *           "name": "Demo Shop",
                 *           "status": "connected",
                 *           "status_reason": null,
                 *           "phone_numbers": [],
                 *           "portfolio_id": "7001",
                 *           "time_zone": "America/Los_Angeles",
                 *           "messaging_account_id": null,
                 *           "waac_id": null,
                 *           "created_at": "2026-01-31T09:00:00.000Z"
                 *         },
                 *         "provider_event": "PARTNER_ADDED",
                 *         "detail": {}
                 *       }
                 *     }
                 */
                "application/json": AccountEvent & {
                    /** @constant */
                    kind?: "permissions_changed";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.signupCompleted": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "signup_completed",
                 *       "category": "account",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "business_account": {
                 *           "id": "acc_01jd0000000000000000000000",
                 *           "provider_account_id": "9001",
                 *           "name": "Demo Shop",
                 *           "status": "connected",
                 *           "status_reason": null,
                 *           "phone_numbers": [],
                 *           "portfolio_id": "7001",
                 *           "time_zone": "America/Los_Angeles",
                 *           "messaging_account_id": null,
                 *           "waac_id": null,
                 *           "created_at": "2026-01-31T09:00:00.000Z"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": AccountEvent & {
                    /** @constant */
                    kind?: "signup_completed";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.signupRevoked": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "signup_revoked",
                 *       "category": "account",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "business_account": {
                 *           "id": "acc_01jd0000000000000000000000",
                 *           "provider_account_id": "9001",
                 *           "name": "Demo Shop",
                 *           "status": "connected",
                 *           "status_reason": null,
                 *           "phone_numbers": [],
                 *           "portfolio_id": "7001",
                 *           "time_zone": "America/Los_Angeles",
                 *           "messaging_account_id": null,
                 *           "waac_id": null,
                 *           "created_at": "2026-01-31T09:00:00.000Z"
                 *         },
                 *         "provider_event": "PARTNER_REMOVED",
                 *         "reason": "The app was removed from the account."
                 *       }
                 *     }
                 */
                "application/json": AccountEvent & {
                    /** @constant */
                    kind?: "signup_revoked";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.accountChanged": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "account_changed",
                 *       "category": "account",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "business_account": {
                 *           "id": "acc_01jd0000000000000000000000",
                 *           "provider_account_id": "9001",
                 *           "name": "Demo Shop",
                 *           "status": "connected",
                 *           "status_reason": null,
                 *           "phone_numbers": [],
                 *           "portfolio_id": "7001",
                 *           "time_zone": "America/Los_Angeles",
                 *           "messaging_account_id": null,
                 *           "waac_id": null,
                 *           "created_at": "2026-01-31T09:00:00.000Z"
                 *         },
                 *         "provider_event": "ACCOUNT_RESTRICTION",
                 *         "detail": {
                 *           "restriction_info": [
                 *             {
                 *               "restriction_type": "RESTRICTED_BIZ_INITIATED_MESSAGING"
                 *             }
                 *           ]
                 *         }
                 *       }
                 *     }
                 */
                "application/json": AccountEvent & {
                    /** @constant */
                    kind?: "account_changed";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.phoneNumberChanged": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "phone_number_changed",
                 *       "category": "account",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "phone_number": {
                 *           "id": "num_01jd0000000000000000000000",
                 *           "provider_phone_number_id": "1055",
                 *           "business_account_id": "acc_01jd0000000000000000000000",
                 *           "phone": "+15559990000",
                 *           "verified_name": "Demo Shop",
                 *           "quality": "yellow",
                 *           "status": "connected",
                 *           "throughput_per_second": 80,
                 *           "is_default": true,
                 *           "description": null,
                 *           "messaging_limit": {
                 *             "limit": null,
                 *             "used": null,
                 *             "remaining": null,
                 *             "resets_at": null
                 *           },
                 *           "service_allowance": {
                 *             "included": 1000,
                 *             "used": null,
                 *             "remaining": null,
                 *             "resets_at": null
                 *           },
                 *           "marketing_stopped_until": null
                 *         },
                 *         "changed": [
                 *           "quality"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": PhoneNumberEvent & {
                    /** @constant */
                    kind?: "phone_number_changed";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.threadTaken": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "thread_taken",
                 *       "category": "conversation",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "conversation": {
                 *           "contact_id": "con_01jd0000000000000000000000",
                 *           "phone_number_id": "num_01jd0000000000000000000000",
                 *           "contact": {
                 *             "id": "con_01jd0000000000000000000000",
                 *             "name": "Ana",
                 *             "phone": "+15551230001"
                 *           }
                 *         },
                 *         "previous_owner": {
                 *           "role": "other",
                 *           "since": "2026-01-31T09:00:00.000Z"
                 *         },
                 *         "owner": {
                 *           "role": "self",
                 *           "since": "2026-01-31T09:30:00.000Z"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": ConversationEvent & {
                    /** @constant */
                    kind?: "thread_taken";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.threadReleased": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "thread_released",
                 *       "category": "conversation",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "conversation": {
                 *           "contact_id": "con_01jd0000000000000000000000",
                 *           "phone_number_id": "num_01jd0000000000000000000000",
                 *           "contact": {
                 *             "id": "con_01jd0000000000000000000000",
                 *             "name": "Ana",
                 *             "phone": "+15551230001"
                 *           }
                 *         },
                 *         "previous_owner": {
                 *           "role": "other",
                 *           "since": "2026-01-31T09:00:00.000Z"
                 *         },
                 *         "owner": {
                 *           "role": "none",
                 *           "since": "2026-01-31T09:30:00.000Z"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": ConversationEvent & {
                    /** @constant */
                    kind?: "thread_released";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.contactCreated": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "contact_created",
                 *       "category": "contact",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "contact": {
                 *           "id": "con_01jd0000000000000000000000",
                 *           "phone": "+15551230001",
                 *           "wa_id": "15551230001",
                 *           "user_id": "US.13490000000000000001",
                 *           "parent_user_id": null,
                 *           "username": null,
                 *           "profile_name": "Ana",
                 *           "name": "Ana Souza",
                 *           "email": "ana@example.com",
                 *           "locale": "pt_BR",
                 *           "attributes": {
                 *             "city": "Recife",
                 *             "orders": 3
                 *           },
                 *           "tags": [
                 *             "vip"
                 *           ],
                 *           "marketing_consent": "unknown",
                 *           "consent_source": null,
                 *           "created_at": "2026-01-31T08:00:00.000Z",
                 *           "updated_at": "2026-01-31T09:00:00.000Z"
                 *         },
                 *         "source": "client"
                 *       }
                 *     }
                 */
                "application/json": ContactEvent & {
                    /** @constant */
                    kind?: "contact_created";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.contactUpdated": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "contact_updated",
                 *       "category": "contact",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "contact": {
                 *           "id": "con_01jd0000000000000000000000",
                 *           "phone": "+15551230001",
                 *           "wa_id": "15551230001",
                 *           "user_id": "US.13490000000000000001",
                 *           "parent_user_id": null,
                 *           "username": null,
                 *           "profile_name": "Ana",
                 *           "name": "Ana Souza",
                 *           "email": "ana@example.com",
                 *           "locale": "pt_BR",
                 *           "attributes": {
                 *             "city": "Recife",
                 *             "orders": 3
                 *           },
                 *           "tags": [
                 *             "vip"
                 *           ],
                 *           "marketing_consent": "unknown",
                 *           "consent_source": null,
                 *           "created_at": "2026-01-31T08:00:00.000Z",
                 *           "updated_at": "2026-01-31T09:00:00.000Z"
                 *         },
                 *         "source": "client"
                 *       }
                 *     }
                 */
                "application/json": ContactEvent & {
                    /** @constant */
                    kind?: "contact_updated";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.contactMerged": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "contact_merged",
                 *       "category": "contact",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "contact": {
                 *           "id": "con_01jd0000000000000000000000",
                 *           "phone": "+15551230001",
                 *           "wa_id": "15551230001",
                 *           "user_id": "US.13490000000000000001",
                 *           "parent_user_id": null,
                 *           "username": null,
                 *           "profile_name": "Ana",
                 *           "name": "Ana Souza",
                 *           "email": "ana@example.com",
                 *           "locale": "pt_BR",
                 *           "attributes": {
                 *             "city": "Recife",
                 *             "orders": 3
                 *           },
                 *           "tags": [
                 *             "vip"
                 *           ],
                 *           "marketing_consent": "unknown",
                 *           "consent_source": null,
                 *           "created_at": "2026-01-31T08:00:00.000Z",
                 *           "updated_at": "2026-01-31T09:00:00.000Z"
                 *         },
                 *         "merged_contact_id": "con_01jd0000000000000000000001",
                 *         "source": "client"
                 *       }
                 *     }
                 */
                "application/json": ContactEvent & {
                    /** @constant */
                    kind?: "contact_merged";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.contactDeleted": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "contact_deleted",
                 *       "category": "contact",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "contact": {
                 *           "id": "con_01jd0000000000000000000000",
                 *           "deleted": true
                 *         },
                 *         "source": "client"
                 *       }
                 *     }
                 */
                "application/json": ContactEvent & {
                    /** @constant */
                    kind?: "contact_deleted";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.optedOut": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "opted_out",
                 *       "category": "contact",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "contact": {
                 *           "id": "con_01jd0000000000000000000000",
                 *           "phone": "+15551230001",
                 *           "wa_id": "15551230001",
                 *           "user_id": "US.13490000000000000001",
                 *           "parent_user_id": null,
                 *           "username": null,
                 *           "profile_name": "Ana",
                 *           "name": "Ana Souza",
                 *           "email": "ana@example.com",
                 *           "locale": "pt_BR",
                 *           "attributes": {
                 *             "city": "Recife",
                 *             "orders": 3
                 *           },
                 *           "tags": [
                 *             "vip"
                 *           ],
                 *           "marketing_consent": "opted_out",
                 *           "consent_source": "keyword",
                 *           "created_at": "2026-01-31T08:00:00.000Z",
                 *           "updated_at": "2026-01-31T09:00:00.000Z"
                 *         },
                 *         "source": "keyword"
                 *       }
                 *     }
                 */
                "application/json": ContactEvent & {
                    /** @constant */
                    kind?: "opted_out";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.optedIn": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "opted_in",
                 *       "category": "contact",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "contact": {
                 *           "id": "con_01jd0000000000000000000000",
                 *           "phone": "+15551230001",
                 *           "wa_id": "15551230001",
                 *           "user_id": "US.13490000000000000001",
                 *           "parent_user_id": null,
                 *           "username": null,
                 *           "profile_name": "Ana",
                 *           "name": "Ana Souza",
                 *           "email": "ana@example.com",
                 *           "locale": "pt_BR",
                 *           "attributes": {
                 *             "city": "Recife",
                 *             "orders": 3
                 *           },
                 *           "tags": [
                 *             "vip"
                 *           ],
                 *           "marketing_consent": "opted_in",
                 *           "consent_source": "keyword",
                 *           "created_at": "2026-01-31T08:00:00.000Z",
                 *           "updated_at": "2026-01-31T09:00:00.000Z"
                 *         },
                 *         "source": "keyword"
                 *       }
                 *     }
                 */
                "application/json": ContactEvent & {
                    /** @constant */
                    kind?: "opted_in";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
    "webhook.call": {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description `t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.
                 * @example t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
                 */
                "X-Service-Signature": components["parameters"]["ServiceSignature"];
                /**
                 * @description The id of the event.
                 * @example evt_01jd0000000000000000000000
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description The time of the attempt in Unix seconds.
                 * @example 1769851867
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description The signatures of Standard Webhooks, one for each secret, with spaces between them.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The kind of the event.
                 * @example delivered
                 */
                "X-Service-Event": components["parameters"]["ServiceEvent"];
                /**
                 * @description The id of the delivery.
                 * @example dlv_01jd0000000000000000000000
                 */
                "X-Service-Delivery": components["parameters"]["ServiceDelivery"];
                /**
                 * @description The number of the attempt, from 1.
                 * @example 1
                 */
                "X-Service-Attempt": components["parameters"]["ServiceAttempt"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jd0000000000000000000000",
                 *       "kind": "call",
                 *       "category": "inbound_message",
                 *       "workspace_id": "ws_01jd0000000000000000000000",
                 *       "created_at": "2026-01-31T09:31:07.000Z",
                 *       "sequence": 4211,
                 *       "data": {
                 *         "call": {
                 *           "id": "wacid.HBgLMTU1NTEyMzAwMDEVAgASGCAyRkY4",
                 *           "event": "connect",
                 *           "direction": "USER_INITIATED",
                 *           "phone_number_id": "num_01jd0000000000000000000000"
                 *         },
                 *         "contact": {
                 *           "id": "con_01jd0000000000000000000000",
                 *           "phone": "+15551230001",
                 *           "wa_id": "15551230001",
                 *           "user_id": "US.13490000000000000001",
                 *           "parent_user_id": null,
                 *           "username": null,
                 *           "profile_name": "Ana",
                 *           "name": "Ana Souza",
                 *           "email": "ana@example.com",
                 *           "locale": "pt_BR",
                 *           "attributes": {
                 *             "city": "Recife",
                 *             "orders": 3
                 *           },
                 *           "tags": [
                 *             "vip"
                 *           ],
                 *           "marketing_consent": "unknown",
                 *           "consent_source": null,
                 *           "created_at": "2026-01-31T08:00:00.000Z",
                 *           "updated_at": "2026-01-31T09:00:00.000Z"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": CallEvent & {
                    /** @constant */
                    kind?: "call";
                };
            };
        };
        responses: {
            410: components["responses"]["EndpointGone"];
            "2XX": components["responses"]["DeliveryReceived"];
        };
    };
}
