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
  other_site: ['forbidden', 'This request did not come from a page of the gateway.'],
  environment_not_found: ['not_found', 'Environment not found.'],
  input_invalid: ['validation', 'Invalid: {fields}.'],
  // Who may do what.
  signed_out: ['unauthorized', 'Sign in first.'],
  page_of_other_merchant: ['outdated', 'This page shows another merchant. Reload it.'],
  page_of_earlier_version: [
    'outdated',
    'This page is from an earlier version of the gateway. Reload it.',
  ],
  second_factor_missing: ['forbidden', 'Set up a second factor first.'],
  permission_missing: ['forbidden', 'Your role does not allow this.'],
  merchant_suspended: ['forbidden', 'The merchant is suspended.'],
  not_operator: ['forbidden', 'This is only for the gateway’s operators.'],
  // Accounts and sign-in.
  session_not_found: ['not_found', 'Session not found.'],
  not_on_staff: ['not_found', 'You are not on that merchant’s team.'],
  account_disabled: ['conflict', 'The account {email} is disabled.'],
  own_account_disabled: ['conflict', 'This account is disabled.'],
  email_invalid: ['validation', '"{email}" is not an email address.'],
  email_unusual: [
    'validation',
    '"{email}" has characters before the @ that most mail servers reject.',
  ],
  email_not_sent: ['unavailable', 'The email could not be sent. Try again later.'],
  password_length: ['validation', 'A password must have {least} to {most} characters.'],
  password_guessable: [
    'validation',
    'This password is too easy to guess: avoid common words, sequences like 1234, repeats and your own address.',
  ],
  proof_wrong: ['validation', 'Incorrect password or code.'],
  proofs_throttled: ['rate_limited', 'Too many attempts. Try again in 15 minutes.'],
  proofs_spent: ['rate_limited', 'Too many attempts today. Try again tomorrow.'],
  codes_throttled: [
    'rate_limited',
    'Too many attempts. Try again in 15 minutes, or use your password or a recovery code.',
  ],
  codes_spent: [
    'rate_limited',
    'Too many attempts today. Try again tomorrow, or use your password or a recovery code.',
  ],
  sign_in_too_old: ['forbidden', 'Sign out and in again first.'],
  code_wrong: ['validation', 'Incorrect code.'],
  code_not_expected: ['conflict', 'Start again: no code is expected.'],
  second_factor_off: ['conflict', 'Your second factor is not on.'],
  second_factor_stays: ['conflict', 'It is already off, or one of your merchants requires it.'],
  operators_need_second_factor: [
    'conflict',
    'The gateway requires a second factor from its operators, so it stays on.',
  ],
  // Teams.
  member_not_found: ['not_found', 'Member not found.'],
  already_member: ['conflict', '{email} is already on the team.'],
  already_invited: ['conflict', '{email} is already invited.'],
  invitation_not_found: ['not_found', 'Open invitation not found.'],
  too_many_invitations: ['rate_limited', 'Too many invitations today. Try again tomorrow.'],
  role_above_own: ['forbidden', 'You cannot give a role above your own.'],
  last_owner: [
    'conflict',
    'A merchant needs at least one owner. Make someone else an owner first.',
  ],
  own_second_factor_missing: ['conflict', 'Set up your own second factor first.'],
  owner_not_found: ['not_found', 'The merchant has no such owner.'],
  owner_came_in: ['conflict', '{email} has signed in meanwhile and does not need a link.'],
  // Merchants, their tokens and secrets.
  merchant_not_found: ['not_found', 'Merchant not found.'],
  merchant_unknown: ['not_found', 'No merchant {merchantId}.'],
  merchant_name_invalid: [
    'validation',
    "A merchant's name must have 1 to {most} characters, without line breaks or other control characters.",
  ],
  merchant_name_is_address: [
    'validation',
    "A merchant's name cannot be an address: leave out ://, www. and @.",
  ],
  time_zone_not_found: ['validation', 'Time zone not found.'],
  colour_invalid: ['validation', 'Enter a colour like #2b4bd0.'],
  legal_name_invalid: [
    'validation',
    'A legal name can have up to {most} characters on one line, without ://, www. and @.',
  ],
  tax_number_characters: [
    'validation',
    'A tax number can have up to 20 letters, digits, spaces, dots, hyphens and slashes.',
  ],
  tax_number_digits: [
    'validation',
    'Check the number of digits: a STIR has 9, a PINFL 14, a Russian INN 10 or 12. For another country, include the letters, such as KZ 123456789012.',
  ],
  tax_number_check: ['validation', 'Check the INN: one of its digits is wrong.'],
  legal_address_invalid: [
    'validation',
    'An address can have up to {most} characters on one line, without ://, www. and @.',
  ],
  support_phone_invalid: [
    'validation',
    'A phone number must have 3 to 15 digits, such as +998 71 200 00 00.',
  ],
  support_telegram_invalid: [
    'validation',
    'A Telegram name must have 4 to 32 Latin letters, digits and underscores, starting with a letter, such as @example_help.',
  ],
  terms_url_invalid: ['validation', 'The link to the terms must begin with https://.'],
  policy_url_invalid: ['validation', 'The link to the refund policy must begin with https://.'],
  logo_invalid: ['validation', 'A logo must be a PNG or WebP image of at most 40 KiB.'],
  settings_changed: [
    'conflict',
    'Someone else has saved the settings meanwhile. Reload the page to see their changes.',
  ],
  token_not_found: ['not_found', 'Token not found.'],
  token_ended: ['not_found', 'Token not found, or it has already ended.'],
  token_name_invalid: [
    'validation',
    "A token's name must have 1 to {most} characters, without line breaks or other control characters.",
  ],
  network_invalid: [
    'validation',
    'Not an address or a network: "{network}". Write it like 203.0.113.7, 203.0.113.0/24 or 2001:db8::/32.',
  ],
  network_ambiguous: [
    'validation',
    '"{network}" can mean two things. Write {whole} for the network, or {address} for the single address.',
  ],
  too_many_networks: ['validation', 'A token can have at most {most} addresses and networks.'],
  token_rotated: [
    'conflict',
    'This token has already been rotated: rotate its successor, or create a new one.',
  ],
  token_ends_anyway: ['conflict', 'This token ends by then anyway: create a new one.'],
  too_many_tokens: [
    'conflict',
    'This environment already has {most} active tokens, the maximum: deactivate one first.',
  ],
  earlier_secret_signs: [
    'conflict',
    'An earlier secret is still in use and would end now. Make sure that none of your servers needs it, then reload this page and rotate.',
  ],
  // Invoices and payments.
  invoice_not_found: ['not_found', 'Invoice not found.'],
  link_not_found: ['not_found', 'Link not found.'],
  form_sent_before: ['conflict', 'This form has already been sent. Reload the page.'],
  invoice_paid: ['conflict', 'Invoice cannot be cancelled: it is already PAID'],
  invoice_expired: ['conflict', 'Invoice cannot be cancelled: it is already EXPIRED'],
  invoice_canceled: ['conflict', 'Invoice cannot be cancelled: it is already CANCELED'],
  invoice_being_paid: ['conflict', 'Invoice cannot be cancelled: a payment is being completed'],
  invoice_not_cancelled_now: [
    'unavailable',
    'The invoice cannot be cancelled now. Try again later.',
  ],
  buyer_email_invalid: ['validation', 'Enter an email address, such as name@example.com.'],
  // The REST API answers these in so many words.
  refund_exists: ['conflict', 'Refund with this refund_transaction_id already exists'],
  refund_not_paid: ['conflict', 'Invoice cannot be refunded: it is {status}'],
  refund_too_much: ['conflict', 'Refund exceeds the refundable amount: {left}'],
  refund_outside: ['conflict', 'This payment can be refunded only at the acquirer: {acquirer}'],
  refund_whole: ['conflict', 'This payment can be refunded only as a whole: {acquirer}'],
  payment_not_begun: ['unavailable', 'The payment could not be started. Try again later.'],
  too_many_exports: ['rate_limited', 'Too many files. Wait ten minutes.'],
  // Accounts at acquirers.
  acquirer_unknown: ['validation', 'There is no acquirer named {provider}.'],
  acquirer_name_invalid: [
    'validation',
    'The name of a payment method must have 1 to {most} characters, without line breaks or other control characters.',
  ],
  acquirer_account_not_found: ['not_found', 'Acquirer account not found.'],
  acquirer_account_disconnected: ['conflict', 'This account is disconnected: connect it again.'],
  acquirer_order_outdated: [
    'conflict',
    'The payment methods have changed meanwhile. Reload the page and set their order again.',
  ],
  difference_not_found: ['not_found', 'Difference not found: it is resolved or gone.'],
  credential_missing: ['validation', '{name} is missing.'],
  credential_invalid: ['validation', '{name} does not look like what the acquirer issues.'],
  credential_misplaced: [
    'validation',
    '{name} is for the other environment: use test values in the sandbox and live ones in production.',
  ],
  credential_unknown: ['validation', 'The acquirer has no value named {name}.'],
  // Notices to staff.
  no_telegram_bot: ['not_found', 'This gateway has no Telegram bot.'],
  // Saved views.
  view_not_found: ['not_found', 'View not found.'],
  view_name_taken: ['conflict', 'You already have a view with this name.'],
  too_many_views: ['conflict', 'You already have 20 views of this list. Delete one first.'],
  // Callbacks.
  callback_not_found: ['not_found', 'Callback not found.'],
  callback_in_flight: ['conflict', 'It is being sent right now.'],
  callback_url_invalid: ['validation', 'Enter an http or https address without a password.'],
  callback_port_refused: [
    'validation',
    'Callbacks are sent only to ports 80, 443, or 1024 and above.',
  ],
  callback_address_refused: [
    'validation',
    'Callbacks are sent only to public addresses, and this one is not public.',
  ],
  host_name_too_long: ['validation', 'The host name is too long.'],
  too_many_tests: ['rate_limited', 'Too many tests. Wait ten minutes.'],
  too_many_receipts: ['rate_limited', 'Too many payment confirmations resent. Wait ten minutes.'],
  too_many_resends: ['rate_limited', 'Too many callbacks resent. Wait ten minutes.'],
  too_many_resends_of_all: [
    'rate_limited',
    'Failed callbacks were resent too often. Wait ten minutes.',
  ],
} as const satisfies Record<string, readonly [ErrorKind, string]>;
