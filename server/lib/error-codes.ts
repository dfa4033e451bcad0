/** Kinds of failure, independent of any transport; each edge maps them once. */
export type ErrorKind =
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'validation'
  | 'rate_limited'
  | 'unavailable'
  /** The page that sent the request is out of date. */
  | 'outdated'
  /** A fault of ours. */
  | 'internal';

/**
 * Every refusal of the gateway by its code: its kind and its English text, in which `{name}` stands
 * for a value. Other languages find their texts by the same code.
 */
export const ERRORS = {
  // Refusals of the gateway itself.
  internal_error: ['internal', 'Internal server error'],
  busy: ['unavailable', 'Service is busy'],
  too_many_requests: ['rate_limited', 'Too many requests. Wait a moment, then try again.'],
  other_site: ['forbidden', 'This did not come from a page of the gateway.'],
  environment_not_found: ['not_found', 'There is no such environment.'],
  input_invalid: ['validation', 'Not valid: {fields}.'],
  // Who may do what.
  signed_out: ['unauthorized', 'Sign in first.'],
  page_of_other_merchant: ['outdated', 'This page shows another merchant. Load it again.'],
  page_of_earlier_version: [
    'outdated',
    'This page is of an earlier version of the gateway. Load it again.',
  ],
  second_factor_missing: ['forbidden', 'Set up a second factor first.'],
  permission_missing: ['forbidden', 'Your role does not allow this.'],
  merchant_suspended: ['forbidden', 'The merchant is suspended.'],
  not_operator: ['forbidden', 'This is for the gateway’s own staff.'],
  // Accounts and sign-in.
  session_not_found: ['not_found', 'There is no such session.'],
  not_on_staff: ['not_found', 'You are not on the staff of that merchant.'],
  account_disabled: ['conflict', 'The account of {email} is disabled.'],
  own_account_disabled: ['conflict', 'This account is disabled.'],
  email_invalid: ['validation', '"{email}" is not an e-mail address.'],
  email_unusual: [
    'validation',
    '"{email}" has characters before the @ that most mail servers refuse.',
  ],
  email_not_sent: ['unavailable', 'The letter could not be sent. Try again later.'],
  password_length: ['validation', 'A password has {least} to {most} characters.'],
  password_guessable: [
    'validation',
    'This password is too easy to guess: it is made of common words, rows like 1234, repeats or your own address.',
  ],
  proof_wrong: ['validation', 'The password or the code is not right.'],
  proofs_throttled: ['rate_limited', 'Too many attempts. Try again in a quarter of an hour.'],
  proofs_spent: ['rate_limited', 'Too many attempts for one day. Try again tomorrow.'],
  codes_throttled: [
    'rate_limited',
    'Too many attempts. Try again in a quarter of an hour, or use your password or a recovery code.',
  ],
  codes_spent: [
    'rate_limited',
    'Too many attempts for one day. Try again tomorrow, or use your password or a recovery code.',
  ],
  sign_in_too_old: ['forbidden', 'Sign out and in again first.'],
  code_wrong: ['validation', 'The code is not right.'],
  code_not_expected: ['conflict', 'Begin again: no code is waited for.'],
  second_factor_off: ['conflict', 'There is no second factor.'],
  second_factor_stays: ['conflict', 'It is off already, or a merchant of yours demands it.'],
  operators_need_second_factor: [
    'conflict',
    'The gateway demands a second factor of its operators: it stays on.',
  ],
  // Teams.
  member_not_found: ['not_found', 'There is no such member.'],
  already_member: ['conflict', '{email} is on the team already.'],
  already_invited: ['conflict', '{email} is invited already.'],
  invitation_not_found: ['not_found', 'There is no such open invitation.'],
  too_many_invitations: ['rate_limited', 'Too many invitations for today.'],
  role_above_own: ['forbidden', 'Nobody gives a role above their own.'],
  last_owner: [
    'conflict',
    'A merchant needs at least one owner. Make someone else an owner first.',
  ],
  own_second_factor_missing: ['conflict', 'Set up your own second factor first.'],
  owner_not_found: ['not_found', 'The merchant has no such owner.'],
  owner_came_in: ['conflict', '{email} has come in meanwhile and needs no link.'],
  // Merchants, their tokens and secrets.
  merchant_not_found: ['not_found', 'There is no such merchant.'],
  merchant_unknown: ['not_found', 'No merchant {merchantId}.'],
  merchant_name_invalid: [
    'validation',
    "A merchant's name must have 1 to {most} characters, no line breaks or other control characters.",
  ],
  merchant_name_is_address: [
    'validation',
    "A merchant's name is no address: leave out ://, www. and @.",
  ],
  time_zone_not_found: ['validation', 'There is no such time zone.'],
  colour_invalid: ['validation', 'A colour is written like #2b4bd0.'],
  legal_name_invalid: [
    'validation',
    'A legal name has up to {most} characters on one line, without ://, www. and @.',
  ],
  tax_number_characters: [
    'validation',
    'A tax number has up to 20 letters, digits, spaces, dots, hyphens and slashes.',
  ],
  tax_number_digits: [
    'validation',
    'Check the number of digits: a STIR has 9, a PINFL 14, a Russian INN 10 or 12. Write a number of another country with its letters, such as KZ 123456789012.',
  ],
  tax_number_check: ['validation', 'Check the INN: one of its digits is wrong.'],
  legal_address_invalid: [
    'validation',
    'An address has up to {most} characters on one line, without ://, www. and @.',
  ],
  support_phone_invalid: [
    'validation',
    'A phone number has 3 to 15 digits, such as +998 71 200 00 00.',
  ],
  support_telegram_invalid: [
    'validation',
    'A Telegram name has 4 to 32 Latin letters, digits and underscores, and begins with a letter, such as @example_help.',
  ],
  terms_url_invalid: ['validation', 'The link to the terms must begin with https://.'],
  policy_url_invalid: ['validation', 'The link to the refund policy must begin with https://.'],
  logo_invalid: ['validation', 'A logo is a PNG or WebP picture of at most 40 KiB.'],
  settings_changed: [
    'conflict',
    'Somebody else saved the settings meanwhile. Load the page again to see theirs.',
  ],
  token_not_found: ['not_found', 'There is no such token.'],
  token_ended: ['not_found', 'There is no such token, or it has ended.'],
  token_name_invalid: [
    'validation',
    "A token's name must have 1 to {most} characters, no line breaks or other control characters.",
  ],
  network_invalid: [
    'validation',
    'Not an address or a network: "{network}". Write it like 203.0.113.7, 203.0.113.0/24 or 2001:db8::/32.',
  ],
  network_ambiguous: [
    'validation',
    '"{network}" can mean two things. Write {whole} for the network, or {address} for the one address.',
  ],
  too_many_networks: ['validation', 'A token has at most {most} addresses and networks.'],
  token_rotated: [
    'conflict',
    'This token was rotated before: rotate the one that followed it, or make a new one.',
  ],
  token_ends_anyway: ['conflict', 'This token ends by then anyway: make a new one.'],
  too_many_tokens: [
    'conflict',
    '{most} tokens work in this environment, the most there can be: deactivate one first.',
  ],
  earlier_secret_signs: [
    'conflict',
    'An earlier secret still signs and would end now. Make sure that no server of yours needs it, then load this page again and rotate.',
  ],
  // Invoices and payments.
  invoice_not_found: ['not_found', 'There is no such invoice.'],
  link_not_found: ['not_found', 'There is no such link.'],
  form_sent_before: ['conflict', 'This form was sent before. Load the page again.'],
  invoice_paid: ['conflict', 'Invoice cannot be cancelled: it is already PAID'],
  invoice_expired: ['conflict', 'Invoice cannot be cancelled: it is already EXPIRED'],
  invoice_canceled: ['conflict', 'Invoice cannot be cancelled: it is already CANCELED'],
  invoice_being_paid: ['conflict', 'Invoice cannot be cancelled: a payment is being completed'],
  invoice_not_cancelled_now: [
    'unavailable',
    'The invoice cannot be cancelled now. Try again later.',
  ],
  buyer_email_invalid: ['validation', 'Enter an e-mail address, such as name@example.com.'],
  // The REST API answers these in so many words.
  refund_exists: ['conflict', 'Refund with this refund_transaction_id already exists'],
  refund_not_paid: ['conflict', 'Invoice cannot be refunded: it is {status}'],
  refund_too_much: ['conflict', 'Refund exceeds the refundable amount: {left}'],
  refund_outside: ['conflict', 'This payment can be refunded only at the acquirer: {acquirer}'],
  refund_whole: ['conflict', 'This payment can be refunded only as a whole: {acquirer}'],
  payment_not_begun: ['unavailable', 'The payment could not begin. Try again later.'],
  too_many_exports: ['rate_limited', 'Too many files: wait ten minutes.'],
  // Accounts at acquirers.
  acquirer_unknown: ['validation', 'There is no acquirer named {provider}.'],
  acquirer_name_invalid: [
    'validation',
    'The name of a payment method must have 1 to {most} characters, no line breaks or other control characters.',
  ],
  acquirer_account_not_found: ['not_found', 'There is no such account at an acquirer.'],
  acquirer_account_disconnected: ['conflict', 'This account is disconnected: connect a new one.'],
  acquirer_order_outdated: [
    'conflict',
    'The payment methods changed meanwhile. Load the page again and put them in order.',
  ],
  difference_not_found: ['not_found', 'There is no such difference, or it is resolved or gone.'],
  credential_missing: ['validation', '{name} is missing.'],
  credential_invalid: ['validation', '{name} does not look as the acquirer gives it.'],
  credential_misplaced: [
    'validation',
    '{name} is for the other environment: the sandbox takes test values, production live ones.',
  ],
  credential_unknown: ['validation', 'The acquirer has no value named {name}.'],
  // Notices to staff.
  no_telegram_bot: ['not_found', 'This gateway has no Telegram bot.'],
  // Callbacks.
  callback_not_found: ['not_found', 'There is no callback.'],
  callback_in_flight: ['conflict', 'It is being sent right now.'],
  callback_url_invalid: ['validation', 'This is no http or https address without a password.'],
  callback_port_refused: [
    'validation',
    'The port is not one that callbacks are sent to: 80, 443, or 1024 and above.',
  ],
  callback_address_refused: [
    'validation',
    'This is no address of the public internet, and callbacks go nowhere else.',
  ],
  host_name_too_long: ['validation', 'The name of the host is longer than a name can be.'],
  too_many_tests: ['rate_limited', 'Too many tests: wait ten minutes.'],
  too_many_receipts: [
    'rate_limited',
    'Too many payment confirmations sent again: wait ten minutes.',
  ],
  too_many_resends: ['rate_limited', 'Too many callbacks resent one by one: wait ten minutes.'],
  too_many_resends_of_all: [
    'rate_limited',
    'All that failed was resent too often: wait ten minutes.',
  ],
} as const satisfies Record<string, readonly [ErrorKind, string]>;
