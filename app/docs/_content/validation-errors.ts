import type { ApiError } from './api-errors.ts';

const fault = (
  id: string,
  [type, message]: [string, string],
  [why, cure]: [string, string],
): ApiError => ({ id, status: 422, type, message, why, cure });

/** The possible messages of an item of a 422's `detail`. */
export const VALIDATION_ERRORS: ApiError[] = [
  fault(
    'missing',
    ['missing', 'Field required'],
    [
      'The field named in `loc` is missing.',
      'Send it. In a query, check the spelling: `invoice_id`.',
    ],
  ),
  fault(
    'cursor',
    ['value_error', 'Value error, this is no next_cursor of this list'],
    [
      'The cursor was cut off or changed, or it comes from a list in another order: with `paid_from` or `paid_to`, invoices are sorted by payment time.',
      'Send `next_cursor` unchanged, with the filters of the first call. Without a cursor the list starts over.',
    ],
  ),
  fault(
    'json-invalid',
    ['json_invalid', 'JSON decode error: the body is not valid JSON'],
    [
      'The body is empty, cut off, or not JSON.',
      'Let a library write it; a comma after the last field and single quotes are the usual culprits. With curl use `--data-binary`.',
    ],
  ),
  fault(
    'json-not-utf8',
    [
      'json_invalid',
      'JSON decode error: the body is not valid UTF-8; compressed bodies are not accepted',
    ],
    [
      'The bytes are in another encoding, or compressed.',
      'Encode the body in UTF-8, and send it without a `Content-Encoding`.',
    ],
  ),
  fault(
    'not-an-object',
    [
      'model_attributes_type',
      'Input should be a valid dictionary or object to extract fields from',
    ],
    [
      'The body, or a position, is JSON but not an object: a list, a string or null.',
      'Send an object. A body that was encoded twice is a string: encode it once.',
    ],
  ),
  fault(
    'content-type',
    [
      'model_attributes_type',
      'Input should be a valid dictionary or object to extract fields from: Content-Type should be application/json',
    ],
    [
      'The header is missing or names another type; forms are not read.',
      'Send `Content-Type: application/json`; a charset may follow.',
    ],
  ),
  fault(
    'string-type',
    ['string_type', 'Input should be a valid string'],
    [
      'The field holds a number, null or something else.',
      'Put it in quotation marks: ids are strings even when they look like numbers.',
    ],
  ),
  fault(
    'string-too-short',
    ['string_too_short', 'String should have at least 1 character'],
    [
      'The text is empty: a field, a query parameter or the `Idempotency-Key` header.',
      'Fill it in, or leave it out if it is optional.',
    ],
  ),
  fault(
    'string-too-long',
    ['string_too_long', 'String should have at most 1024 characters'],
    [
      'The text is longer than the field allows. Characters are counted as Unicode code points: most emoji are one, flags and families several.',
      'Shorten it to the number in the message; all lengths are under Limits.',
    ],
  ),
  fault(
    'control-characters',
    ['string_pattern_mismatch', 'String should not contain control characters'],
    [
      '`merchant_transaction_id` has a line break, a tab or another control character in it.',
      'Remove them; often it is a line break from the file that the id was read from.',
    ],
  ),
  fault(
    'int-type',
    ['int_type', 'Input should be a valid integer'],
    [
      'An amount or a date is a string, a boolean or null.',
      'Send a JSON number: `1500`, not `"1500"`.',
    ],
  ),
  fault(
    'int-from-float',
    ['int_from_float', 'Input should be a valid integer, got a number with a fractional part'],
    [
      'Amounts count minor units and dates count milliseconds; neither has fractions.',
      '15.00 USD is `1500`, and 15.00 UZS as well. Multiply by 100 and round in your own code. A `15.00` cannot be detected as a mistake: in JSON it is the integer 15, and the invoice would be for 0.15 USD.',
    ],
  ),
  fault(
    'greater-than',
    ['greater_than', 'Input should be greater than 0'],
    [
      'An amount or a date is zero or negative.',
      'Send the amount to be paid. A free order needs no invoice; a discount is a smaller `amount`, not a negative position.',
    ],
  ),
  fault(
    'less-than-equal',
    ['less_than_equal', 'Input should be less than or equal to 9007199254740991'],
    [
      'The number is too large for every JSON parser to hold exactly, or a date is beyond the year 9999.',
      'Check the unit: dates are milliseconds, not microseconds or nanoseconds.',
    ],
  ),
  fault(
    'enum',
    ['enum', "Input should be 'USD', 'EUR', 'RUB' or 'UZS'"],
    [
      'The value is not one that the field accepts. Case matters.',
      'Send one of the values listed in the message.',
    ],
  ),
  fault(
    'list-type',
    ['list_type', 'Input should be a valid list'],
    ['`positions` is not a list.', 'Send a list, also for one position: `[{ … }]`.'],
  ),
  fault(
    'too-short',
    ['too_short', 'List should have at least 1 item after validation, not 0'],
    ['`positions` is empty.', 'Send at least one: a single line with the whole amount will do.'],
  ),
  fault(
    'too-long',
    ['too_long', 'List should have at most 500 items after validation, not 501'],
    ['`positions` has more lines than a page should show.', 'Combine lines.'],
  ),
  fault(
    'position-currency',
    ['value_error', "Value error, the currency should be the invoice's, USD"],
    [
      'A position has another currency than the invoice.',
      'Convert it, or create one invoice per currency: a buyer cannot check a sum in two currencies.',
    ],
  ),
  fault(
    'end-date-past',
    [
      'value_error',
      "Value error, end_date should be in the future; the server's clock reads 1795278000000",
    ],
    [
      'The invoice would have expired before it existed.',
      'Compare your clock with the one in the message. Take `now + 1 hour` or more, in UTC milliseconds.',
    ],
  ),
  fault(
    'end-date-seconds',
    ['value_error', 'Value error, end_date looks like seconds: it should be in milliseconds'],
    ['The value is a Unix time in seconds.', 'Multiply by 1000.'],
  ),
  fault(
    'url-parsing',
    ['url_parsing', 'Input should be a valid URL'],
    [
      'The address is relative, has spaces or backslashes in it, or names no host.',
      'Send an absolute address, encoded: `https://shop.example/paid?order=1042`.',
    ],
  ),
  fault(
    'url-scheme',
    ['url_scheme', "URL scheme should be 'http' or 'https'"],
    [
      'The address has another scheme. Those of apps and `javascript:` are refused, because a browser would follow them.',
      'Send an https address; it may redirect into your app.',
    ],
  ),
  fault(
    'url-too-long',
    ['string_too_long', 'URL should have at most 2048 characters'],
    ['The address is too long.', 'Keep the data on your side and put its id into the address.'],
  ),
  fault(
    'url-credentials',
    ['value_error', 'Value error, a URL must not carry a user name or a password'],
    [
      'The address has `name:password@` in it, which would stand in logs and browsers.',
      'Leave it out. A callback is recognised by its signature.',
    ],
  ),
  fault(
    'dict-type',
    ['dict_type', 'Input should be a valid dictionary'],
    ['`merchant_data` is not an object.', 'Send an object, null, or nothing.'],
  ),
  fault(
    'merchant-data-size',
    ['too_long', 'merchant_data should have at most 16384 bytes of JSON text, not 20000'],
    [
      '`merchant_data` is too large as it was sent: spaces and `\\u…` count.',
      'Send it without indentation and with letters as they are (`ensure_ascii=False` in Python, `JSON_UNESCAPED_UNICODE` in PHP), or keep the data on your side and send its id.',
    ],
  ),
  fault(
    'merchant-data-depth',
    ['value_error', 'Value error, merchant_data should be at most 32 levels deep'],
    ['`merchant_data` is nested too deeply.', 'Flatten it, or send it as a string of JSON.'],
  ),
  fault(
    'inexact-number',
    [
      'value_error',
      'Value error, a number beyond ±9007199254740991 loses digits in many JSON readers: send it as a string',
    ],
    [
      'A number in `merchant_data` would not come back as it was sent.',
      'Put it in quotation marks.',
    ],
  ),
  fault(
    'nul',
    ['value_error', 'Value error, NUL characters are not allowed'],
    ['A text contains `\\u0000`, which the database cannot store.', 'Remove it.'],
  ),
  fault(
    'lone-surrogate',
    [
      'value_error',
      'Value error, a lone surrogate is not a character: the text is not valid Unicode',
    ],
    [
      'Half of an emoji: a text was cut in the middle of one.',
      'Cut texts by characters, not by UTF-16 units.',
    ],
  ),
  fault(
    'proto-key',
    ['value_error', 'Value error, the key __proto__ is not allowed'],
    [
      'An object has a key of that name, which is used to attack JavaScript programs.',
      'Rename it.',
    ],
  ),
  fault(
    'given-twice',
    ['value_error', 'Value error, given more than once'],
    ['A query parameter appears twice in the address.', 'Send it once.'],
  ),
  fault(
    'not-both',
    ['value_error', 'Value error, give invoice_id or merchant_transaction_id, not both'],
    ['A status was requested by both ids at once.', 'Use one of them.'],
  ),
  fault(
    'idempotency-key-characters',
    ['string_pattern_mismatch', 'String should contain printable ASCII characters only'],
    [
      '`Idempotency-Key` contains non-ASCII or control characters.',
      'Send a UUID, or an id of your own in plain ASCII.',
    ],
  ),
  fault(
    'idempotency-key-reused',
    ['value_error', 'Value error, the key was used with other values'],
    [
      'The same `Idempotency-Key` came within 24 hours with other values. A new `end_date` is one.',
      'Keep what you sent and repeat it unchanged; use a new key for another invoice.',
    ],
  ),
  fault(
    'not-allowed',
    ['value_error', 'Value error, the value is not allowed'],
    [
      'A value breaks a rule without a message of its own. You should never see this one.',
      'Compare the field with the API reference, and contact support.',
    ],
  ),
];
