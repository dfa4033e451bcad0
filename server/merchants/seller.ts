import { GatewayError, type PlainErrorCode } from '../lib/errors.ts';
import { taxNumberFault } from '../lib/tax-number.ts';
import { foldTyped } from '../lib/typed-text.ts';
import { normaliseEmail } from '../staff/email-address.ts';
import { checkPlainName } from './mutations.ts';
import { SELLER_FIELDS, type SellerDetails } from './types.ts';

const MAX_URL_LENGTH = 500;

/** The columns of `merchants` by the details' names. */
const COLUMNS = {
  legalName: 'legal_name',
  taxNumber: 'tax_number',
  legalAddress: 'legal_address',
  supportEmail: 'support_email',
  supportPhone: 'support_phone',
  supportTelegram: 'support_telegram',
  termsUrl: 'terms_url',
  refundPolicyUrl: 'refund_policy_url',
} as const satisfies Record<keyof SellerDetails, string>;

/** The details of a row of `merchants`, for a SELECT. */
export const SELLER_SELECTED = SELLER_FIELDS.map((each) => `${COLUMNS[each]} AS "${each}"`).join();

/** Assigns the details to the parameters from `first` on, for an UPDATE. */
export const sellerAssignments = (first: number): string =>
  SELLER_FIELDS.map((each, place) => `${COLUMNS[each]} = $${first + place}`).join();

const TAX_FAULTS = {
  characters: 'tax_number_characters',
  digits: 'tax_number_digits',
  check: 'tax_number_check',
} as const;

function taxNumber(typed: string): string {
  const number = foldTyped(typed).trim();
  // People group digits: `301 234 567`.
  const joined = /^[\d ]+$/.test(number) ? number.replaceAll(' ', '') : number;
  const fault = taxNumberFault(joined);
  if (fault) throw new GatewayError(TAX_FAULTS[fault]);
  return joined;
}

/** A number in any country's writing, or a short one. */
function supportPhone(typed: string): string {
  const phone = foldTyped(typed).trim();
  const digits = phone.replace(/\D/g, '').length;
  if (!/^\+?[\d ()-]+$/.test(phone) || digits < 3 || digits > 15) {
    throw new GatewayError('support_phone_invalid');
  }
  return phone;
}

/** The name of `@name` or of a link to it. */
function supportTelegram(typed: string): string {
  const [, name] =
    /^(?:@|(?:https?:\/\/)?(?:t|telegram)\.me\/)?([a-z]\w{3,31})\/?$/i.exec(
      foldTyped(typed).trim(),
    ) ?? [];
  if (name === undefined) throw new GatewayError('support_telegram_invalid');
  return name;
}

function pageUrl(typed: string, code: PlainErrorCode): string {
  const given = typed.trim();
  const url = URL.canParse(given) ? new URL(given) : null;
  if (
    url?.protocol !== 'https:' ||
    url.username !== '' ||
    url.password !== '' ||
    url.href.length > MAX_URL_LENGTH
  ) {
    throw new GatewayError(code);
  }
  return url.href;
}

const CHECKS: Record<keyof SellerDetails, (typed: string) => string> = {
  legalName: (typed) => checkPlainName(typed, 'legal_name_invalid'),
  taxNumber,
  legalAddress: (typed) => checkPlainName(typed, 'legal_address_invalid'),
  supportEmail: normaliseEmail,
  supportPhone,
  supportTelegram,
  termsUrl: (typed) => pageUrl(typed, 'terms_url_invalid'),
  refundPolicyUrl: (typed) => pageUrl(typed, 'policy_url_invalid'),
};

/**
 * The stored form of typed details; an empty one is null.
 *
 * @throws GatewayError `validation` with a code for each mistake
 */
export function checkSeller(given: SellerDetails): SellerDetails {
  const stored = SELLER_FIELDS.map((each) => {
    const typed = given[each]?.trim() ?? '';
    return [each, typed === '' ? null : CHECKS[each](typed)];
  });
  return Object.fromEntries(stored) as SellerDetails;
}
