import { timingSafeEqual } from 'node:crypto';

/** A text in the buyer's language: Payme shows it. */
type Message = { ru: string; uz: string; en: string };

/** The errors of Payme's protocol, in place of a result (Payme, "oshibki"). */
export class PaymeError extends Error {
  readonly code: number;
  readonly texts: Message;
  readonly data: string | undefined;

  constructor(code: number, texts: Message, data?: string) {
    super(texts.en);
    this.code = code;
    this.texts = texts;
    this.data = data;
  }
}

const ofProtocol = (code: number, en: string, data?: string) =>
  new PaymeError(code, { ru: en, uz: en, en }, data);

export const notPost = () => ofProtocol(-32300, 'The method must be POST.');
export const notJson = (cause: unknown) =>
  Object.assign(ofProtocol(-32700, 'The body is no JSON.'), { cause });
export const notRpc = () => ofProtocol(-32600, 'The request lacks members, or has wrong ones.');
export const wrongParams = () => ofProtocol(-32602, 'The parameters are wrong.');
export const noMethod = (name: string) => ofProtocol(-32601, 'There is no such method.', name);
export const notAuthorised = () => ofProtocol(-32504, 'The authorisation is wrong.');
export const ownFault = () => ofProtocol(-32400, 'The gateway cannot answer now.');

export const wrongAmount = () =>
  new PaymeError(-31001, {
    ru: 'Сумма не совпадает с суммой счёта.',
    uz: 'Summa hisobdagi summaga mos emas.',
    en: 'The amount is not that of the invoice.',
  });
export const noTransaction = () =>
  new PaymeError(-31003, {
    ru: 'Такой транзакции нет.',
    uz: 'Bunday tranzaksiya yoʻq.',
    en: 'There is no such transaction.',
  });
/** CreateTransaction also answers this to a second transaction for an invoice. */
export const notPossible = () =>
  new PaymeError(-31008, {
    ru: 'В этом состоянии операция невозможна.',
    uz: 'Bu holatda amalni bajarib boʻlmaydi.',
    en: 'This is not possible in the present state.',
  });
/** @param field the account field that the kassa was set up with */
export const noInvoice = (field: string) =>
  new PaymeError(
    -31050,
    {
      ru: 'Такого счёта нет.',
      uz: 'Bunday hisob yoʻq.',
      en: 'There is no such invoice.',
    },
    field,
  );
export const notPayable = (field: string) =>
  new PaymeError(
    -31051,
    {
      ru: 'Этот счёт уже оплачен, отменён или истёк.',
      uz: 'Bu hisob toʻlangan, bekor qilingan yoki muddati oʻtgan.',
      en: 'This invoice is paid, cancelled or expired.',
    },
    field,
  );
export const beingPaid = (field: string) =>
  new PaymeError(
    -31052,
    {
      ru: 'Этот счёт сейчас оплачивается.',
      uz: 'Bu hisob hozir toʻlanmoqda.',
      en: 'This invoice is being paid right now.',
    },
    field,
  );

/** SetFiscalData's answer for an unknown receipt. */
export const noReceipt = () => ofProtocol(-32001, 'There is no such receipt.');

/** A call of Payme: the answer carries its id unchanged. */
export type PaymeCall = { id: number | string | null; method: string; params: object };

type Body = { id?: unknown; method?: unknown; params?: unknown };

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The id of a request, whether or not its other members are valid. */
export function idOf(body: unknown): number | string | null {
  const { id } = isObject(body) ? (body as Body) : {};
  return typeof id === 'number' || typeof id === 'string' ? id : null;
}

/** @throws PaymeError −32700 */
export function parseBody(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch (error) {
    throw notJson(error);
  }
}

/** @throws PaymeError −32600; the `jsonrpc` member is not demanded, for Payme leaves it out */
export function parseCall(body: unknown): PaymeCall {
  const { method, params } = isObject(body) ? (body as Body) : {};
  const id = idOf(body);
  if (typeof method !== 'string' || !isObject(params) || id === null) throw notRpc();
  return { id, method, params };
}

/**
 * Whether a Basic header carries the key of a kassa. The password begins after the first colon.
 *
 * @param header as it came, or null
 */
export function isAuthorised(header: string | null, key: string): boolean {
  const encoded = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(header?.trim() ?? '')?.[1] ?? '';
  const [login, ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  const given = Buffer.from(rest.join(':'));
  const wanted = Buffer.from(key);
  return login === 'Paycom' && given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** A member that must be a text of 1 to `max` characters. @throws PaymeError −32602 */
export function textIn(params: object, name: string, max = 64): string {
  const value = (params as Record<string, unknown>)[name];
  if (typeof value !== 'string' || value.length === 0 || value.length > max) throw wrongParams();
  return value;
}

/** A member that must be a whole number from 0 on. @throws PaymeError −32602 */
export function wholeIn(params: object, name: string): number {
  const value = (params as Record<string, unknown>)[name];
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw wrongParams();
  return value;
}

/** The account field's text: what the kassa's link carried, our invoice's id. */
export function accountIn(params: object, field: string): string {
  const { account } = params as { account?: unknown };
  const value = isObject(account) ? (account as Record<string, unknown>)[field] : undefined;
  if (typeof value !== 'string' && typeof value !== 'number') throw noInvoice(field);
  return String(value);
}
