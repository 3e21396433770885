// Made by `npm run generate` from the route table. Do not edit.

/** What `POST /v1/contacts` takes, as the document says it. */
export const NEW_CONTACT = {
  "type": "object",
  "required": [
    "phone"
  ],
  "properties": {
    "phone": {
      "type": "string",
      "maxLength": 64,
      "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]*$"
    },
    "name": {
      "type": [
        "string",
        "null"
      ],
      "minLength": 1,
      "maxLength": 256,
      "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\u0000-\\u001f\\u007f-\\u009f\\s][^\\u0000-\\u001f\\u007f-\\u009f]*$"
    },
    "email": {
      "type": [
        "string",
        "null"
      ],
      "maxLength": 254,
      "pattern": "^[^@\\s]+@[^@\\s]+$"
    },
    "locale": {
      "type": [
        "string",
        "null"
      ],
      "pattern": "^[a-zA-Z]{2,3}([_-][a-zA-Z0-9]{2,8}){0,3}$"
    },
    "attributes": {
      "type": "object",
      "patternProperties": {
        "^[\\w.-]{1,64}$": {
          "anyOf": [
            {
              "anyOf": [
                {
                  "type": "string",
                  "maxLength": 1024
                },
                {
                  "type": "number"
                },
                {
                  "type": "boolean"
                }
              ]
            },
            {
              "type": "null"
            }
          ]
        }
      },
      "maxProperties": 100,
      "additionalProperties": false
    },
    "tags": {
      "type": "array",
      "items": {
        "type": "string",
        "minLength": 1,
        "maxLength": 64,
        "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\u0000-\\u001f\\u007f-\\u009f\\s][^\\u0000-\\u001f\\u007f-\\u009f]*$"
      },
      "maxItems": 100
    },
    "marketing_consent": {
      "type": "string",
      "enum": [
        "opted_in",
        "opted_out"
      ]
    }
  },
  "additionalProperties": false
} as const;
