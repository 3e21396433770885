// Made by `npm run generate` from the route table. Do not edit.

export interface components {
    schemas: {
        /** @description RFC 9457. */
        Problem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "invalid_json" | "invalid_request" | "unauthorized" | "forbidden" | "not_found" | "method_not_allowed" | "conflict" | "contact_exists" | "idempotency_in_progress" | "idempotency_key_expired" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "invalid_phone_number" | "reference_not_found" | "template_not_found" | "template_not_approved" | "template_parameters_mismatch" | "window_closed" | "recipient_opted_out" | "sender_unavailable" | "media_not_found" | "provider_rejected" | "provider_unavailable" | "rate_limited" | "messaging_limit_reached" | "queue_full" | "internal" | "unavailable";
            request_id: string;
            /** @description The same request may succeed later without a change. */
            retryable: boolean;
            /** @description The resource that the refusal is about, where there is one. */
            resource_id?: string;
            errors?: {
                /** @description JSON pointer into the body, or `?name` of the query. */
                pointer: string;
                code: string;
                detail: string;
            }[];
            /** @description What the provider said. */
            provider?: {
                [key: string]: unknown;
            };
        };
        WorkspaceInput: {
            name: string;
        };
        WorkspaceChange: {
            name?: string;
            /**
             * @description Keys of a suspended workspace are answered 403
             * @enum {string}
             */
            status?: "active" | "suspended";
        };
        ApiKeyInput: {
            name: string;
            /** @description What the key may do; `*` is everything */
            scopes: ("messages:read" | "messages:write" | "templates:read" | "templates:write" | "contacts:read" | "contacts:write" | "webhooks:read" | "webhooks:write" | "accounts:read" | "accounts:write" | "media:read" | "media:write" | "audit:read" | "keys:write" | "*")[];
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00Z
             */
            expires_at?: string | null;
        };
        RotateApiKeyInput: {
            /**
             * @description How long the old key goes on; 0 ends it at once
             * @default 86400
             */
            overlap_seconds?: number;
        };
        SendMessage: {
            /**
             * @description E.164 with `+`, a contact id or a business-scoped user id
             * @example +15551230001
             */
            to: string;
            /** @enum {unknown} */
            type: "template" | "text";
            template?: {
                name: string;
                language: {
                    code: string;
                    /** @constant */
                    policy?: "deterministic";
                };
                components?: unknown[];
            };
            text?: {
                body: string;
                preview_url?: boolean;
            };
            /** @description Phone number id or E.164 of a connected number */
            from?: string;
            /**
             * @description Message to quote
             * @example msg_01jd0000000000000000000000
             */
            reply_to?: string;
            /** @description Yours; returned everywhere */
            reference?: string;
            /**
             * Format: date-time
             * @description Not before, up to 30 days ahead
             * @example 2026-01-31T09:30:00Z
             */
            send_at?: string;
            /**
             * Format: date-time
             * @description Not dispatched by then: `expired`
             * @example 2026-01-31T09:30:00Z
             */
            expires_at?: string;
            /**
             * @description When the provider's answer was lost
             * @enum {unknown}
             */
            on_unknown?: "hold" | "resend_once";
        };
        QuarantineReplay: {
            reason: string;
        };
        NewWebhookEndpoint: {
            /**
             * @description https, a public address, port 443 or 8443; no user, no blank. Kept and shown as parsed, the host in lower-case ASCII
             * @example https://example.com/hooks
             */
            url: string;
            /** @description Kinds of events, or `*` for all */
            events: ("*" | "messages" | "accepted" | "sent" | "delivered" | "read" | "played" | "failed" | "unknown" | "canceled" | "expired" | "approved" | "rejected" | "pending" | "paused" | "disabled" | "in_appeal" | "flagged" | "limit_exceeded" | "locked" | "pending_deletion" | "deleted" | "archived" | "template_quality_changed" | "template_category_changed" | "permissions_changed" | "signup_completed" | "signup_revoked" | "account_changed" | "phone_number_changed" | "contact_created" | "contact_updated" | "contact_merged" | "contact_deleted" | "opted_out" | "opted_in" | "endpoint_failing" | "endpoint_disabled")[];
            description?: string | null;
            /** @description Strict order within a conversation: a delivery that waits for its retry holds the later ones back */
            ordered?: boolean;
        };
        WebhookEndpointChange: {
            /**
             * @description https, a public address, port 443 or 8443; no user, no blank. Kept and shown as parsed, the host in lower-case ASCII
             * @example https://example.com/hooks
             */
            url?: string;
            /** @description Kinds of events, or `*` for all */
            events?: ("*" | "messages" | "accepted" | "sent" | "delivered" | "read" | "played" | "failed" | "unknown" | "canceled" | "expired" | "approved" | "rejected" | "pending" | "paused" | "disabled" | "in_appeal" | "flagged" | "limit_exceeded" | "locked" | "pending_deletion" | "deleted" | "archived" | "template_quality_changed" | "template_category_changed" | "permissions_changed" | "signup_completed" | "signup_revoked" | "account_changed" | "phone_number_changed" | "contact_created" | "contact_updated" | "contact_merged" | "contact_deleted" | "opted_out" | "opted_in" | "endpoint_failing" | "endpoint_disabled")[];
            description?: string | null;
            /** @description Strict order within a conversation: a delivery that waits for its retry holds the later ones back */
            ordered?: boolean;
            enabled?: boolean;
        };
        SecretRotation: {
            /**
             * @description How long the old secret signs beside the new one
             * @default 86400
             */
            overlap_seconds?: number;
        };
        OwnWorkspace: {
            /** @example ws_01jd0000000000000000000000 */
            id: string;
            name: string;
            /** @description active or suspended */
            status: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            api_key: components["schemas"]["ApiKey"];
            limits: {
                /** @description null: no limit */
                requests_per_second: number | null;
            };
        };
        ApiKey: {
            /** @example key_01jd0000000000000000000000 */
            id: string;
            name: string;
            /** @description First characters after `wp_live_`, to recognise the key by */
            hint: string;
            scopes: string[];
            /**
             * Format: date-time
             * @description Refused from then on; null: never
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When it was revoked; null: it was not
             */
            revoked_at: string | null;
            /**
             * @description The key that a rotation made in its place
             * @example key_01jd0000000000000000000000
             */
            replaced_by: string | null;
            /**
             * Format: date-time
             * @description To about a minute
             */
            last_used_at: string | null;
            /** Format: date-time */
            created_at: string;
        };
        Workspace: {
            /** @example ws_01jd0000000000000000000000 */
            id: string;
            name: string;
            /** @description active or suspended */
            status: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        NewApiKey: {
            /** @example key_01jd0000000000000000000000 */
            id: string;
            name: string;
            /** @description First characters after `wp_live_`, to recognise the key by */
            hint: string;
            scopes: string[];
            /**
             * Format: date-time
             * @description Refused from then on; null: never
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When it was revoked; null: it was not
             */
            revoked_at: string | null;
            /**
             * @description The key that a rotation made in its place
             * @example key_01jd0000000000000000000000
             */
            replaced_by: string | null;
            /**
             * Format: date-time
             * @description To about a minute
             */
            last_used_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description The key itself, shown this once */
            key: string;
        };
        AuditActivity: {
            /** @example aud_01jd0000000000000000000000 */
            id: string;
            /** Format: date-time */
            at: string;
            actor: {
                /** @description api_key, operator, system or anonymous */
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
                ip: string | null;
                user_agent: string | null;
            };
            response: {
                status: number | null;
                /** @description Error code; null for a success */
                code: string | null;
            };
            /** @description What the call changed, without secrets; null when nothing */
            changes: unknown;
        };
        BusinessAccount: {
            /** @example acc_01jd0000000000000000000000 */
            id: string;
            provider_account_id: string;
            name: string;
            /** @enum {string} */
            status: "connecting" | "connected" | "restricted" | "disconnected";
            /** @description Why it is not connected, or why a new token was refused */
            status_reason: string | null;
            phone_numbers: components["schemas"]["PhoneNumber"][];
            /** @description The provider's business portfolio */
            portfolio_id: string | null;
            /** Format: date-time */
            created_at: string;
        };
        PhoneNumber: {
            /** @example num_01jd0000000000000000000000 */
            id: string;
            provider_phone_number_id: string;
            /** @example acc_01jd0000000000000000000000 */
            business_account_id: string;
            /**
             * @description E.164 with +
             * @example +15559990000
             */
            phone: string;
            /** @description The name that people see */
            verified_name: string | null;
            /** @description green, yellow, red or unknown */
            quality: string;
            /** @description The provider's word in lower case; only `connected` numbers send */
            status: string;
            throughput_per_second: number;
            /** @description Sends what names no `from` and continues no conversation */
            is_default: boolean;
            /** @description Your own note */
            description: string | null;
            /** @description Of the business portfolio; null where it is not known */
            messaging_limit: {
                limit: number | null;
                used: number | null;
                remaining: number | null;
                /** Format: date-time */
                resets_at: string | null;
            };
        };
        Template: {
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
            /** @description utility, marketing or authentication */
            category: string;
            /** @enum {string} */
            status: "pending" | "approved" | "rejected" | "paused" | "disabled" | "in_appeal" | "flagged" | "limit_exceeded" | "locked" | "pending_deletion" | "deleted" | "archived";
            /** @description green, yellow, red or unknown */
            quality: string;
            /** @description As the provider lists them */
            components: unknown[];
            /** @description positional or named */
            parameter_format: string;
            /** @description The provider's word when it was rejected */
            rejection_reason: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        Message: {
            /** @example msg_01jd0000000000000000000000 */
            id: string;
            /** @enum {unknown} */
            direction: "outbound" | "inbound";
            /** @enum {unknown} */
            status: "scheduled" | "queued" | "sending" | "accepted" | "sent" | "delivered" | "read" | "failed" | "canceled" | "expired" | "unknown" | "received";
            /** @description Nothing more is tried or expected */
            final: boolean;
            to: string | null;
            from: string | null;
            /** @example num_01jd0000000000000000000000 */
            phone_number_id: string;
            /** @example con_01jd0000000000000000000000 */
            contact_id: string;
            type: string;
            template?: unknown;
            text?: unknown;
            /** @example msg_01jd0000000000000000000000 */
            reply_to: string | null;
            reference: string | null;
            category: string | null;
            pricing: unknown;
            error: components["schemas"]["MessageError"] | null;
            provider_message_id: string | null;
            possible_duplicate: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            estimated_dispatch_at: string | null;
            /** Format: date-time */
            send_at: string | null;
            /** Format: date-time */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description This and the next four are never earlier than what came before them; `history` has the provider's own second
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
            /** @description Larger is later within a conversation; gaps mean nothing */
            sequence: number;
        } & {
            [key: string]: unknown;
        };
        MessageError: {
            code: string;
            title: string;
            detail: string;
            /** @description Sending the same message anew can succeed without anybody changing anything first; never while the status is `unknown` */
            retryable: boolean;
            remedy: string;
            provider?: {
                code: number;
                subcode: number | null;
                title: string;
                details: string | null;
                trace_id: string | null;
            };
        };
        MessageWithHistory: {
            /** @example msg_01jd0000000000000000000000 */
            id: string;
            /** @enum {unknown} */
            direction: "outbound" | "inbound";
            /** @enum {unknown} */
            status: "scheduled" | "queued" | "sending" | "accepted" | "sent" | "delivered" | "read" | "failed" | "canceled" | "expired" | "unknown" | "received";
            /** @description Nothing more is tried or expected */
            final: boolean;
            to: string | null;
            from: string | null;
            /** @example num_01jd0000000000000000000000 */
            phone_number_id: string;
            /** @example con_01jd0000000000000000000000 */
            contact_id: string;
            type: string;
            template?: unknown;
            text?: unknown;
            /** @example msg_01jd0000000000000000000000 */
            reply_to: string | null;
            reference: string | null;
            category: string | null;
            pricing: unknown;
            error: components["schemas"]["MessageError"] | null;
            provider_message_id: string | null;
            possible_duplicate: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            estimated_dispatch_at: string | null;
            /** Format: date-time */
            send_at: string | null;
            /** Format: date-time */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description This and the next four are never earlier than what came before them; `history` has the provider's own second
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
            /** @description Larger is later within a conversation; gaps mean nothing */
            sequence: number;
            history: components["schemas"]["MessageHistoryEntry"][];
        } & {
            [key: string]: unknown;
        };
        MessageHistoryEntry: {
            status: string;
            /** Format: date-time */
            at: string;
            /** Format: date-time */
            received_at: string;
            error: components["schemas"]["MessageError"] | null;
        };
        QuarantinedChange: {
            /** @example qrn_01jd0000000000000000000000 */
            id: string;
            /**
             * @description `failed` (applying it failed; replayed by itself), `unowned` (its number or account is not connected; connecting replays it), `missing` (the raw callback is no longer kept), `not_json`, `not_handled …`, or what was not understood
             * @example failed
             */
            reason: string;
            /** @description What refused it, when it failed: SQLSTATE, table and constraint, or the name of an error */
            detail: string | null;
            /** @description Whose it is, where the change says so */
            provider_phone_number_id: string | null;
            /** @description Whose it is, where the change says so */
            provider_account_id: string | null;
            /** @description Replays that failed again */
            replays: number;
            /**
             * Format: date-time
             * @description When it is replayed by itself
             */
            next_replay_at: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was put back into the queue; null while it waits
             */
            replayed_at: string | null;
        };
        QuarantineReplayed: {
            /** @description Changes put back into the queue by this call */
            replayed: number;
            /** @description Whether more of them may wait: call again */
            has_more: boolean;
        };
        WebhookEndpointWithSecret: {
            /** @example whe_01jd0000000000000000000000 */
            id: string;
            url: string;
            events: string[];
            description: string | null;
            ordered: boolean;
            enabled: boolean;
            /** @enum {string} */
            status: "active" | "failing" | "disabled";
            /** @description `requested`, `gone` (the receiver answered 410) */
            disabled_reason: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Signs every delivery. Shown this once; keep it. */
            secret: string;
        };
        WebhookEndpoint: {
            /** @example whe_01jd0000000000000000000000 */
            id: string;
            url: string;
            events: string[];
            description: string | null;
            ordered: boolean;
            enabled: boolean;
            /** @enum {string} */
            status: "active" | "failing" | "disabled";
            /** @description `requested`, `gone` (the receiver answered 410) */
            disabled_reason: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        Delivery: {
            /** @example dlv_01jd0000000000000000000000 */
            id: string;
            /** @example evt_01jd0000000000000000000000 */
            event_id: string;
            /** @example whe_01jd0000000000000000000000 */
            webhook_endpoint_id: string;
            kind: string;
            /** @enum {string} */
            status: "pending" | "succeeded" | "failed" | "parked";
            /** @description Attempts made */
            attempt: number;
            /** Format: date-time */
            next_attempt_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            completed_at: string | null;
            attempts: {
                n: number;
                /** Format: date-time */
                started_at: string;
                duration_ms: number;
                status_code: number | null;
                outcome: string;
                error: string | null;
                /** @description Start of the answer's body */
                response: string | null;
            }[];
        };
        DeliverySummary: {
            /** @example dlv_01jd0000000000000000000000 */
            id: string;
            /** @example evt_01jd0000000000000000000000 */
            event_id: string;
            /** @example whe_01jd0000000000000000000000 */
            webhook_endpoint_id: string;
            kind: string;
            /** @enum {string} */
            status: "pending" | "succeeded" | "failed" | "parked";
            /** @description Attempts made */
            attempt: number;
            /** Format: date-time */
            next_attempt_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            completed_at: string | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export interface operations {
    "workspace.get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource as it is now. */
            200: {
                headers: {
                    /** @description The caller's id of the request, or a new one. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the limit. */
                    RateLimit?: string;
                    /** @description The limit. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnWorkspace"];
                };
            };
            /** @description `invalid_request`: The request does not fit its description. */
            400: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Something failed here. */
            500: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Not possible right now; nothing was done. */
            503: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "workspaces.list": {
        parameters: {
            query?: {
                /** @description Rows of one page */
                limit?: number;
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    /** @description The caller's id of the request, or a new one. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Workspace"][];
                        next_cursor: string | null;
                    };
                };
            };
            /** @description `invalid_request`: The request does not fit its description. */
            400: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Something failed here. */
            500: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Not possible right now; nothing was done. */
            503: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "workspaces.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gives the first answer again for 7 days. */
                "X-Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkspaceInput"];
            };
        };
        responses: {
            /** @description Made. */
            201: {
                headers: {
                    /** @description The caller's id of the request, or a new one. */
                    "X-Request-Id"?: string;
                    /** @description Path of the resource. */
                    Location?: string;
                    /** @description `true` when this is the first answer again. */
                    "Idempotent-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            /**
             * @description `invalid_request`: The request does not fit its description.
             *
             *     `invalid_json`: The body is not valid JSON.
             */
            400: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `idempotency_in_progress`: The first request with this key is still running.
             *
             *     `idempotency_key_expired`: The key was used and its answer is no longer kept.
             */
            409: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported. */
            415: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_key_reused`: The key was used for another request. */
            422: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Something failed here. */
            500: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Not possible right now; nothing was done. */
            503: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
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
            /** @description The resource as it is now. */
            200: {
                headers: {
                    /** @description The caller's id of the request, or a new one. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            /** @description `invalid_request`: The request does not fit its description. */
            400: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: There is nothing here. */
            404: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Something failed here. */
            500: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Not possible right now; nothing was done. */
            503: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
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
                "application/json": components["schemas"]["WorkspaceChange"];
            };
        };
        responses: {
            /** @description The resource as it is now. */
            200: {
                headers: {
                    /** @description The caller's id of the request, or a new one. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            /**
             * @description `invalid_request`: The request does not fit its description.
             *
             *     `invalid_json`: The body is not valid JSON.
             */
            400: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: There is nothing here. */
            404: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported. */
            415: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Something failed here. */
            500: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Not possible right now; nothing was done. */
            503: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "workspaces.listApiKeys": {
        parameters: {
            query?: {
                /** @description Rows of one page */
                limit?: number;
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: string;
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
            /** @description One page. */
            200: {
                headers: {
                    /** @description The caller's id of the request, or a new one. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ApiKey"][];
                        next_cursor: string | null;
                    };
                };
            };
            /** @description `invalid_request`: The request does not fit its description. */
            400: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: There is nothing here. */
            404: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Something failed here. */
            500: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Not possible right now; nothing was done. */
            503: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "workspaces.createApiKey": {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gives the first answer again for 7 days. */
                "X-Idempotency-Key"?: string;
            };
            path: {
                /** @example ws_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeyInput"];
            };
        };
        responses: {
            /** @description Made. */
            201: {
                headers: {
                    /** @description The caller's id of the request, or a new one. */
                    "X-Request-Id"?: string;
                    /** @description Path of the resource. */
                    Location?: string;
                    /** @description `true` when this is the first answer again. */
                    "Idempotent-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewApiKey"];
                };
            };
            /**
             * @description `invalid_request`: The request does not fit its description.
             *
             *     `invalid_json`: The body is not valid JSON.
             */
            400: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: There is nothing here. */
            404: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `conflict`: The resource is not in a state for this.
             *
             *     `idempotency_in_progress`: The first request with this key is still running.
             *
             *     `idempotency_key_expired`: The key was used and its answer is no longer kept.
             */
            409: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported. */
            415: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_key_reused`: The key was used for another request. */
            422: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Something failed here. */
            500: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Not possible right now; nothing was done. */
            503: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "apiKeys.list": {
        parameters: {
            query?: {
                /** @description Rows of one page */
                limit?: number;
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    /** @description The caller's id of the request, or a new one. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the limit. */
                    RateLimit?: string;
                    /** @description The limit. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ApiKey"][];
                        next_cursor: string | null;
                    };
                };
            };
            /** @description `invalid_request`: The request does not fit its description. */
            400: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The API key lacks a scope. */
            403: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Something failed here. */
            500: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Not possible right now; nothing was done. */
            503: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "apiKeys.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gives the first answer again for 7 days. */
                "X-Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeyInput"];
            };
        };
        responses: {
            /** @description Made. */
            201: {
                headers: {
                    /** @description The caller's id of the request, or a new one. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the limit. */
                    RateLimit?: string;
                    /** @description The limit. */
                    "RateLimit-Policy"?: string;
                    /** @description Path of the resource. */
                    Location?: string;
                    /** @description `true` when this is the first answer again. */
                    "Idempotent-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewApiKey"];
                };
            };
            /**
             * @description `invalid_request`: The request does not fit its description.
             *
             *     `invalid_json`: The body is not valid JSON.
             */
            400: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The API key lacks a scope. */
            403: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `conflict`: The resource is not in a state for this.
             *
             *     `idempotency_in_progress`: The first request with this key is still running.
             *
             *     `idempotency_key_expired`: The key was used and its answer is no longer kept.
             */
            409: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported. */
            415: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_key_reused`: The key was used for another request. */
            422: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Something failed here. */
            500: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Not possible right now; nothing was done. */
            503: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
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
            /** @description The resource as it is now. */
            200: {
                headers: {
                    /** @description The caller's id of the request, or a new one. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the limit. */
                    RateLimit?: string;
                    /** @description The limit. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            /** @description `invalid_request`: The request does not fit its description. */
            400: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The API key lacks a scope. */
            403: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: There is nothing here. */
            404: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Something failed here. */
            500: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Not possible right now; nothing was done. */
            503: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
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
            /** @description Done; there is no body. */
            204: {
                headers: {
                    /** @description The caller's id of the request, or a new one. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the limit. */
                    RateLimit?: string;
                    /** @description The limit. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `invalid_request`: The request does not fit its description.
             *
             *     `invalid_json`: The body is not valid JSON.
             */
            400: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The API key lacks a scope. */
            403: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: There is nothing here. */
            404: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported. */
            415: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Something failed here. */
            500: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Not possible right now; nothing was done. */
            503: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "apiKeys.rotate": {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gives the first answer again for 7 days. */
                "X-Idempotency-Key"?: string;
            };
            path: {
                /** @example key_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateApiKeyInput"];
            };
        };
        responses: {
            /** @description Made. */
            201: {
                headers: {
                    /** @description The caller's id of the request, or a new one. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the limit. */
                    RateLimit?: string;
                    /** @description The limit. */
                    "RateLimit-Policy"?: string;
                    /** @description Path of the resource. */
                    Location?: string;
                    /** @description `true` when this is the first answer again. */
                    "Idempotent-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewApiKey"];
                };
            };
            /**
             * @description `invalid_request`: The request does not fit its description.
             *
             *     `invalid_json`: The body is not valid JSON.
             */
            400: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The API key lacks a scope. */
            403: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: There is nothing here. */
            404: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `conflict`: The resource is not in a state for this.
             *
             *     `idempotency_in_progress`: The first request with this key is still running.
             *
             *     `idempotency_key_expired`: The key was used and its answer is no longer kept.
             */
            409: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported. */
            415: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_key_reused`: The key was used for another request. */
            422: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Something failed here. */
            500: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Not possible right now; nothing was done. */
            503: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "audit.listActivity": {
        parameters: {
            query?: {
                /** @description Rows of one page */
                limit?: number;
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: string;
                /** @description A key's id, or a type of actor: `api_key`, `operator`, `anonymous`, `system` */
                actor?: string;
                /** @description Such as `message.create` */
                action?: string;
                /** @description A resource's id, or a type such as `message` */
                resource?: string;
                status?: number;
                /**
                 * @description At this time or later
                 * @example 2026-01-31T09:30:00Z
                 */
                at_after?: string;
                /**
                 * @description Before this time
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
            /** @description One page. */
            200: {
                headers: {
                    /** @description The caller's id of the request, or a new one. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the limit. */
                    RateLimit?: string;
                    /** @description The limit. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AuditActivity"][];
                        next_cursor: string | null;
                    };
                };
            };
            /** @description `invalid_request`: The request does not fit its description. */
            400: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The API key lacks a scope. */
            403: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Something failed here. */
            500: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Not possible right now; nothing was done. */
            503: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "audit.list": {
        parameters: {
            query?: {
                /** @description Rows of one page */
                limit?: number;
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: string;
                /** @description A key's id, or a type of actor: `api_key`, `operator`, `anonymous`, `system` */
                actor?: string;
                /** @description Such as `message.create` */
                action?: string;
                /** @description A resource's id, or a type such as `message` */
                resource?: string;
                status?: number;
                /**
                 * @description At this time or later
                 * @example 2026-01-31T09:30:00Z
                 */
                at_after?: string;
                /**
                 * @description Before this time
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
            /** @description One page. */
            200: {
                headers: {
                    /** @description The caller's id of the request, or a new one. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AuditActivity"][];
                        next_cursor: string | null;
                    };
                };
            };
            /** @description `invalid_request`: The request does not fit its description. */
            400: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Something failed here. */
            500: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Not possible right now; nothing was done. */
            503: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "businessAccounts.list": {
        parameters: {
            query?: {
                /** @description Rows of one page */
                limit?: number;
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    /** @description The caller's id of the request, or a new one. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the limit. */
                    RateLimit?: string;
                    /** @description The limit. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["BusinessAccount"][];
                        next_cursor: string | null;
                    };
                };
            };
            /** @description `invalid_request`: The request does not fit its description. */
            400: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The API key lacks a scope. */
            403: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Something failed here. */
            500: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Not possible right now; nothing was done. */
            503: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "businessAccounts.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gives the first answer again for 7 days. */
                "X-Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The WhatsApp Business Account's id */
                    provider_account_id: string;
                    access_token: string;
                };
            };
        };
        responses: {
            /** @description Made. */
            201: {
                headers: {
                    /** @description The caller's id of the request, or a new one. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the limit. */
                    RateLimit?: string;
                    /** @description The limit. */
                    "RateLimit-Policy"?: string;
                    /** @description Path of the resource. */
                    Location?: string;
                    /** @description `true` when this is the first answer again. */
                    "Idempotent-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BusinessAccount"];
                };
            };
            /** @description Accepted: committed, and going on. */
            202: {
                headers: {
                    /** @description The caller's id of the request, or a new one. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the limit. */
                    RateLimit?: string;
                    /** @description The limit. */
                    "RateLimit-Policy"?: string;
                    /** @description Path of the resource. */
                    Location?: string;
                    /** @description `true` when this is the first answer again. */
                    "Idempotent-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BusinessAccount"];
                };
            };
            /**
             * @description `invalid_request`: The request does not fit its description.
             *
             *     `invalid_json`: The body is not valid JSON.
             */
            400: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The API key lacks a scope. */
            403: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `conflict`: The resource is not in a state for this.
             *
             *     `idempotency_in_progress`: The first request with this key is still running.
             *
             *     `idempotency_key_expired`: The key was used and its answer is no longer kept.
             */
            409: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported. */
            415: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `provider_rejected`: The provider refused the request.
             *
             *     `idempotency_key_reused`: The key was used for another request.
             */
            422: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Something failed here. */
            500: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Not possible right now; nothing was done. */
            503: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
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
            /** @description The resource as it is now. */
            200: {
                headers: {
                    /** @description The caller's id of the request, or a new one. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the limit. */
                    RateLimit?: string;
                    /** @description The limit. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BusinessAccount"];
                };
            };
            /** @description `invalid_request`: The request does not fit its description. */
            400: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The API key lacks a scope. */
            403: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: There is nothing here. */
            404: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Something failed here. */
            500: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Not possible right now; nothing was done. */
            503: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
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
            /** @description Done; there is no body. */
            204: {
                headers: {
                    /** @description The caller's id of the request, or a new one. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the limit. */
                    RateLimit?: string;
                    /** @description The limit. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `invalid_request`: The request does not fit its description.
             *
             *     `invalid_json`: The body is not valid JSON.
             */
            400: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The API key lacks a scope. */
            403: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: There is nothing here. */
            404: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported. */
            415: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Something failed here. */
            500: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Not possible right now; nothing was done. */
            503: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "phoneNumbers.list": {
        parameters: {
            query?: {
                /** @description Rows of one page */
                limit?: number;
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    /** @description The caller's id of the request, or a new one. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the limit. */
                    RateLimit?: string;
                    /** @description The limit. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PhoneNumber"][];
                        next_cursor: string | null;
                    };
                };
            };
            /** @description `invalid_request`: The request does not fit its description. */
            400: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The API key lacks a scope. */
            403: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Something failed here. */
            500: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Not possible right now; nothing was done. */
            503: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
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
            /** @description The resource as it is now. */
            200: {
                headers: {
                    /** @description The caller's id of the request, or a new one. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the limit. */
                    RateLimit?: string;
                    /** @description The limit. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PhoneNumber"];
                };
            };
            /** @description `invalid_request`: The request does not fit its description. */
            400: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The API key lacks a scope. */
            403: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: There is nothing here. */
            404: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Something failed here. */
            500: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Not possible right now; nothing was done. */
            503: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
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
                "application/json": {
                    is_default?: boolean;
                    description?: string | null;
                };
            };
        };
        responses: {
            /** @description The resource as it is now. */
            200: {
                headers: {
                    /** @description The caller's id of the request, or a new one. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the limit. */
                    RateLimit?: string;
                    /** @description The limit. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PhoneNumber"];
                };
            };
            /**
             * @description `invalid_request`: The request does not fit its description.
             *
             *     `invalid_json`: The body is not valid JSON.
             */
            400: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The API key lacks a scope. */
            403: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: There is nothing here. */
            404: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported. */
            415: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Something failed here. */
            500: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Not possible right now; nothing was done. */
            503: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "templates.list": {
        parameters: {
            query?: {
                /** @description Rows of one page */
                limit?: number;
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: string;
                /** @description The exact name */
                name?: string;
                status?: "pending" | "approved" | "rejected" | "paused" | "disabled" | "in_appeal" | "flagged" | "limit_exceeded" | "locked" | "pending_deletion" | "deleted" | "archived";
                /** @description The exact language code */
                language?: string;
                category?: string;
                /** @description Templates this number can send */
                phone_number_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    /** @description The caller's id of the request, or a new one. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the limit. */
                    RateLimit?: string;
                    /** @description The limit. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Template"][];
                        next_cursor: string | null;
                    };
                };
            };
            /** @description `invalid_request`: The request does not fit its description. */
            400: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The API key lacks a scope. */
            403: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Something failed here. */
            500: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Not possible right now; nothing was done. */
            503: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
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
            /** @description The resource as it is now. */
            200: {
                headers: {
                    /** @description The caller's id of the request, or a new one. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the limit. */
                    RateLimit?: string;
                    /** @description The limit. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
            /** @description `invalid_request`: The request does not fit its description. */
            400: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The API key lacks a scope. */
            403: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: There is nothing here. */
            404: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Something failed here. */
            500: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Not possible right now; nothing was done. */
            503: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "messages.list": {
        parameters: {
            query?: {
                /** @description Rows of one page */
                limit?: number;
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: string;
                direction?: "outbound" | "inbound";
                status?: "scheduled" | "queued" | "sending" | "accepted" | "sent" | "delivered" | "read" | "failed" | "canceled" | "expired" | "unknown" | "received";
                type?: string;
                to?: string;
                from?: string;
                contact_id?: string;
                template?: string;
                reference?: string;
                /** @example 2026-01-31T09:30:00Z */
                created_after?: string;
                /** @example 2026-01-31T09:30:00Z */
                created_before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    /** @description The caller's id of the request, or a new one. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the limit. */
                    RateLimit?: string;
                    /** @description The limit. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Message"][];
                        next_cursor: string | null;
                    };
                };
            };
            /** @description `invalid_request`: The request does not fit its description. */
            400: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The API key lacks a scope. */
            403: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Something failed here. */
            500: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Not possible right now; nothing was done. */
            503: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "messages.send": {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gives the first answer again for 7 days. */
                "X-Idempotency-Key"?: string;
                /** @description `wait=N` with 1 to 30 seconds: answer when the provider accepted or refused, or then. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendMessage"];
            };
        };
        responses: {
            /** @description Accepted: committed, and going on. */
            202: {
                headers: {
                    /** @description The caller's id of the request, or a new one. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the limit. */
                    RateLimit?: string;
                    /** @description The limit. */
                    "RateLimit-Policy"?: string;
                    /** @description Path of the resource. */
                    Location?: string;
                    /** @description `true` when this is the first answer again. */
                    "Idempotent-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /**
             * @description `invalid_request`: The request does not fit its description.
             *
             *     `invalid_json`: The body is not valid JSON.
             */
            400: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The API key lacks a scope. */
            403: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `idempotency_in_progress`: The first request with this key is still running.
             *
             *     `idempotency_key_expired`: The key was used and its answer is no longer kept.
             */
            409: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported. */
            415: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `idempotency_key_reused`: The key was used for another request.
             *
             *     `invalid_phone_number`: The phone number is not possible.
             *
             *     `reference_not_found`: A referenced resource does not exist.
             *
             *     `template_not_found`: The sender has no such template.
             *
             *     `template_not_approved`: The template is not approved.
             *
             *     `template_parameters_mismatch`: The parameters do not fit the template.
             *
             *     `window_closed`: The 24-hour window is closed.
             *
             *     `recipient_opted_out`: The recipient has opted out.
             *
             *     `sender_unavailable`: There is no usable phone number to send from.
             */
            422: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Something failed here. */
            500: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Not possible right now; nothing was done. */
            503: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
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
            /** @description The resource as it is now. */
            200: {
                headers: {
                    /** @description The caller's id of the request, or a new one. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the limit. */
                    RateLimit?: string;
                    /** @description The limit. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageWithHistory"];
                };
            };
            /** @description `invalid_request`: The request does not fit its description. */
            400: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The API key lacks a scope. */
            403: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: There is nothing here. */
            404: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Something failed here. */
            500: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Not possible right now; nothing was done. */
            503: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "quarantine.list": {
        parameters: {
            query?: {
                /** @description Rows of one page */
                limit?: number;
                /** @description `next_cursor` of the page before */
                cursor?: string;
                reason?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    /** @description The caller's id of the request, or a new one. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["QuarantinedChange"][];
                        next_cursor: string | null;
                    };
                };
            };
            /** @description `invalid_request`: The request does not fit its description. */
            400: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Something failed here. */
            500: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Not possible right now; nothing was done. */
            503: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "quarantine.replay": {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gives the first answer again for 7 days. */
                "X-Idempotency-Key"?: string;
            };
            path: {
                /** @example qrn_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted: committed, and going on. */
            202: {
                headers: {
                    /** @description The caller's id of the request, or a new one. */
                    "X-Request-Id"?: string;
                    /** @description Path of the resource. */
                    Location?: string;
                    /** @description `true` when this is the first answer again. */
                    "Idempotent-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuarantinedChange"];
                };
            };
            /**
             * @description `invalid_request`: The request does not fit its description.
             *
             *     `invalid_json`: The body is not valid JSON.
             */
            400: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: There is nothing here. */
            404: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `conflict`: The resource is not in a state for this.
             *
             *     `idempotency_in_progress`: The first request with this key is still running.
             *
             *     `idempotency_key_expired`: The key was used and its answer is no longer kept.
             */
            409: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported. */
            415: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_key_reused`: The key was used for another request. */
            422: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Something failed here. */
            500: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Not possible right now; nothing was done. */
            503: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "quarantine.replayAll": {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gives the first answer again for 7 days. */
                "X-Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuarantineReplay"];
            };
        };
        responses: {
            /** @description Accepted: committed, and going on. */
            202: {
                headers: {
                    /** @description The caller's id of the request, or a new one. */
                    "X-Request-Id"?: string;
                    /** @description Path of the resource. */
                    Location?: string;
                    /** @description `true` when this is the first answer again. */
                    "Idempotent-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuarantineReplayed"];
                };
            };
            /**
             * @description `invalid_request`: The request does not fit its description.
             *
             *     `invalid_json`: The body is not valid JSON.
             */
            400: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `idempotency_in_progress`: The first request with this key is still running.
             *
             *     `idempotency_key_expired`: The key was used and its answer is no longer kept.
             */
            409: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported. */
            415: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_key_reused`: The key was used for another request. */
            422: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Something failed here. */
            500: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Not possible right now; nothing was done. */
            503: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "webhookEndpoints.list": {
        parameters: {
            query?: {
                /** @description Rows of one page */
                limit?: number;
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    /** @description The caller's id of the request, or a new one. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the limit. */
                    RateLimit?: string;
                    /** @description The limit. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookEndpoint"][];
                        next_cursor: string | null;
                    };
                };
            };
            /** @description `invalid_request`: The request does not fit its description. */
            400: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The API key lacks a scope. */
            403: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Something failed here. */
            500: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Not possible right now; nothing was done. */
            503: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "webhookEndpoints.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gives the first answer again for 7 days. */
                "X-Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewWebhookEndpoint"];
            };
        };
        responses: {
            /** @description Made. */
            201: {
                headers: {
                    /** @description The caller's id of the request, or a new one. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the limit. */
                    RateLimit?: string;
                    /** @description The limit. */
                    "RateLimit-Policy"?: string;
                    /** @description Path of the resource. */
                    Location?: string;
                    /** @description `true` when this is the first answer again. */
                    "Idempotent-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
            /**
             * @description `invalid_request`: The request does not fit its description.
             *
             *     `invalid_json`: The body is not valid JSON.
             */
            400: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The API key lacks a scope. */
            403: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `conflict`: The resource is not in a state for this.
             *
             *     `idempotency_in_progress`: The first request with this key is still running.
             *
             *     `idempotency_key_expired`: The key was used and its answer is no longer kept.
             */
            409: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported. */
            415: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_key_reused`: The key was used for another request. */
            422: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Something failed here. */
            500: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Not possible right now; nothing was done. */
            503: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
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
            /** @description The resource as it is now. */
            200: {
                headers: {
                    /** @description The caller's id of the request, or a new one. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the limit. */
                    RateLimit?: string;
                    /** @description The limit. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            /** @description `invalid_request`: The request does not fit its description. */
            400: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The API key lacks a scope. */
            403: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: There is nothing here. */
            404: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Something failed here. */
            500: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Not possible right now; nothing was done. */
            503: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "webhookEndpoints.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description `ETag` of the version to change; another one is 412. */
                "If-Match"?: string;
            };
            path: {
                /** @example whe_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    /** @description The caller's id of the request, or a new one. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the limit. */
                    RateLimit?: string;
                    /** @description The limit. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `invalid_request`: The request does not fit its description.
             *
             *     `invalid_json`: The body is not valid JSON.
             */
            400: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The API key lacks a scope. */
            403: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: There is nothing here. */
            404: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `precondition_failed`: The resource has changed. */
            412: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported. */
            415: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Something failed here. */
            500: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Not possible right now; nothing was done. */
            503: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "webhookEndpoints.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description `ETag` of the version to change; another one is 412. */
                "If-Match"?: string;
            };
            path: {
                /** @example whe_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointChange"];
            };
        };
        responses: {
            /** @description The resource as it is now. */
            200: {
                headers: {
                    /** @description The caller's id of the request, or a new one. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the limit. */
                    RateLimit?: string;
                    /** @description The limit. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            /**
             * @description `invalid_request`: The request does not fit its description.
             *
             *     `invalid_json`: The body is not valid JSON.
             */
            400: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The API key lacks a scope. */
            403: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: There is nothing here. */
            404: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `precondition_failed`: The resource has changed. */
            412: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported. */
            415: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Something failed here. */
            500: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Not possible right now; nothing was done. */
            503: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "webhookEndpoints.rotateSecret": {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gives the first answer again for 7 days. */
                "X-Idempotency-Key"?: string;
            };
            path: {
                /** @example whe_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SecretRotation"];
            };
        };
        responses: {
            /** @description The resource as it is now. */
            200: {
                headers: {
                    /** @description The caller's id of the request, or a new one. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the limit. */
                    RateLimit?: string;
                    /** @description The limit. */
                    "RateLimit-Policy"?: string;
                    /** @description `true` when this is the first answer again. */
                    "Idempotent-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
            /**
             * @description `invalid_request`: The request does not fit its description.
             *
             *     `invalid_json`: The body is not valid JSON.
             */
            400: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The API key lacks a scope. */
            403: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: There is nothing here. */
            404: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `idempotency_in_progress`: The first request with this key is still running.
             *
             *     `idempotency_key_expired`: The key was used and its answer is no longer kept.
             */
            409: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported. */
            415: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_key_reused`: The key was used for another request. */
            422: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Something failed here. */
            500: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Not possible right now; nothing was done. */
            503: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "webhookEndpoints.test": {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeat of this request safe: it gives the first answer again for 7 days. */
                "X-Idempotency-Key"?: string;
            };
            path: {
                /** @example whe_01jd0000000000000000000000 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted: committed, and going on. */
            202: {
                headers: {
                    /** @description The caller's id of the request, or a new one. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the limit. */
                    RateLimit?: string;
                    /** @description The limit. */
                    "RateLimit-Policy"?: string;
                    /** @description Path of the resource. */
                    Location?: string;
                    /** @description `true` when this is the first answer again. */
                    "Idempotent-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            /**
             * @description `invalid_request`: The request does not fit its description.
             *
             *     `invalid_json`: The body is not valid JSON.
             */
            400: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The API key lacks a scope. */
            403: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: There is nothing here. */
            404: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `conflict`: The resource is not in a state for this.
             *
             *     `idempotency_in_progress`: The first request with this key is still running.
             *
             *     `idempotency_key_expired`: The key was used and its answer is no longer kept.
             */
            409: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The content type is not supported. */
            415: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_key_reused`: The key was used for another request. */
            422: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Something failed here. */
            500: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Not possible right now; nothing was done. */
            503: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "webhookEndpoints.listDeliveries": {
        parameters: {
            query?: {
                /** @description Rows of one page */
                limit?: number;
                /** @description `next_cursor` of the page before, with the same filters */
                cursor?: string;
                status?: "pending" | "succeeded" | "failed" | "parked";
                kind?: string;
                /** @example 2026-01-31T09:30:00Z */
                created_after?: string;
                /** @example 2026-01-31T09:30:00Z */
                created_before?: string;
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
            /** @description One page. */
            200: {
                headers: {
                    /** @description The caller's id of the request, or a new one. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the limit. */
                    RateLimit?: string;
                    /** @description The limit. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DeliverySummary"][];
                        next_cursor: string | null;
                    };
                };
            };
            /** @description `invalid_request`: The request does not fit its description. */
            400: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The API key lacks a scope. */
            403: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: There is nothing here. */
            404: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Something failed here. */
            500: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Not possible right now; nothing was done. */
            503: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
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
            /** @description The resource as it is now. */
            200: {
                headers: {
                    /** @description The caller's id of the request, or a new one. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the limit. */
                    RateLimit?: string;
                    /** @description The limit. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            /** @description `invalid_request`: The request does not fit its description. */
            400: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The API key is missing or not valid. */
            401: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: The API key lacks a scope. */
            403: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: There is nothing here. */
            404: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal`: Something failed here. */
            500: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: Not possible right now; nothing was done. */
            503: {
                headers: {
                    /** @description Finds the request in the log. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until a repeat makes sense. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "webhooks.getReceive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The provider's verification handshake. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
        };
    };
    "webhooks.postReceive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The provider's callbacks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
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
            /** @description The process runs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
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
            /** @description The process may get traffic: database, migrations, roles. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
        };
    };
}
