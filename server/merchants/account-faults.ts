const CODES = [
  /** The acquirer called with another key than the account's. */
  'wrong_key',
  /** The acquirer's call was not signed with the account's key. */
  'wrong_signature',
  /** A live account or its call in the sandbox, or the other way round. */
  'wrong_environment',
  'credentials_refused',
  'not_reachable',
  'unexpected_answer',
  'shop_disabled',
  /** The acquirer demands receipts, and the account has no tax settings. */
  'receipts_unset',
] as const;
export type AccountFaultCode = (typeof CODES)[number];

/** Why an acquirer was turned away, or would not work with an account. */
export type AccountFault = {
  /** Screens have words for each; null for an English sentence that an earlier version stored. */
  code: AccountFaultCode | null;
  /** The acquirer's own code or the network's, or that sentence. */
  detail: string | null;
};

const STORED = new RegExp(`^(${CODES.join('|')})(?:: (.+))?$`, 's');

/** A fault as a column keeps it. */
export function writeFault({ code, detail }: AccountFault): string {
  return [code, detail].filter((each) => each !== null).join(': ');
}

/** A fault from its column. */
export function readFault(text: string): AccountFault {
  const [, code, detail = null] = STORED.exec(text) ?? [];
  return code === undefined
    ? { code: null, detail: text }
    : { code: code as AccountFaultCode, detail };
}
