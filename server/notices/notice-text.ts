import { formatZonedInstant } from '../i18n/dates.ts';
import { spokenLocale, type Translator, translatorOf } from '../i18n/translator.ts';
import type { Locale } from '../lib/locales.ts';
import { formatMoney } from '../lib/money.ts';
import { noticeEmail } from '../mail/email-templates.ts';
import type { Environment } from '../merchants/types.ts';
import type { NoticeContent, ToldInvoice } from './types.ts';

/** Whom a notice is for and what it is about. */
export type NoticeView = {
  content: NoticeContent;
  locale: Locale;
  merchantName: string;
  timeZone: string;
  environment: Environment;
  publicUrl: string;
};

/** The longest word of somebody else's in a message. */
const MAX_WORDS = 100;

/** Others' words on one line: a description may have many. */
const plain = (words: string): string => {
  const line = words.replaceAll(/\s+/g, ' ').trim();
  return line.length > MAX_WORDS ? `${line.slice(0, MAX_WORDS)}…` : line;
};

const amountOf = ({ amountMinor, currency }: ToldInvoice, locale: Locale): string =>
  formatMoney(BigInt(amountMinor), currency, locale);

/** The page on which one can see what a notice tells. */
function pathOf(content: NoticeContent): string {
  switch (content.what) {
    case 'callbacks_failing':
    case 'callbacks_well':
      return 'callbacks';
    case 'callback_exhausted':
    case 'payment':
    case 'refund_failed': {
      const [first] = content.invoices;
      if (content.count === 1 && first) return `invoices/${first.id}`;
      return content.what === 'callback_exhausted' ? 'callbacks' : 'invoices';
    }
    case 'account_down':
    case 'books_differ':
      return 'payment-methods';
    case 'sign_in':
      return 'account';
    case 'test':
      return 'account/notifications';
  }
}

function invoiceLines(
  t: Translator<'mail.notices'>,
  { count, invoices }: { count: number; invoices: ToldInvoice[] },
  locale: Locale,
): string[] {
  const lines = invoices.map((each) =>
    [amountOf(each, locale), plain(each.description), plain(each.reference)].join(' · '),
  );
  const others = count - invoices.length;
  return others > 0 ? [...lines, t('others', { count: others })] : lines;
}

function wordsOf(view: NoticeView, t: Translator<'mail.notices'>, locale: Locale) {
  const { content } = view;
  switch (content.what) {
    case 'callbacks_failing':
      return {
        subject: t('callbacks_failing.subject'),
        lines: [t('callbacks_failing.text', { host: plain(content.host) })],
      };
    case 'callback_exhausted':
    case 'refund_failed':
    case 'payment': {
      const { what, count, invoices } = content;
      const amount = invoices[0] ? amountOf(invoices[0], locale) : '';
      const told = what === 'payment' ? [] : [t(`${what}.text`)];
      return {
        subject: t(`${what}.subject`, { count, amount }),
        lines: [...told, ...invoiceLines(t, content, locale)],
      };
    }
    case 'account_down':
      return {
        subject: t('account_down.subject', { account: plain(content.account) }),
        lines: [t('account_down.text')],
      };
    case 'books_differ':
      return {
        subject: t('books_differ.subject', { account: plain(content.account) }),
        lines: [t('books_differ.text', { count: content.count })],
      };
    case 'sign_in': {
      const at = formatZonedInstant(content.atMs, locale, view.timeZone);
      const { address } = content;
      return {
        subject: t('sign_in.subject'),
        lines: [
          address === null ? t('sign_in.at', { at }) : t('sign_in.atFrom', { at, address }),
          t('sign_in.advice'),
        ],
      };
    }
    case 'callbacks_well':
    case 'test':
      return { subject: t(`${content.what}.subject`), lines: [t(`${content.what}.text`)] };
  }
}

function partsOf(view: NoticeView) {
  const { content, environment, merchantName, publicUrl } = view;
  const locale = spokenLocale(view.locale, 'mail');
  const t = translatorOf(locale, 'mail.notices');
  const { subject, lines } = wordsOf(view, t, locale);
  const dashboard = `${publicUrl}/dashboard/${environment}`;
  const shop = environment === 'sandbox' ? `${merchantName} (${t('sandbox')})` : merchantName;
  return {
    subject: `${shop}: ${subject}`,
    lines,
    link: { words: t('link'), url: `${dashboard}/${pathOf(content)}` },
    footer: t('footer', { url: `${dashboard}/account/notifications` }),
  };
}

/** A notice as an e-mail. */
export function emailOfNotice(view: NoticeView) {
  return noticeEmail(view.locale, partsOf(view));
}

/** A notice as a plain text: messengers show it as it is. */
export function textOfNotice(view: NoticeView): string {
  const { subject, lines, link } = partsOf(view);
  return [subject, ...lines, link.url].join('\n\n');
}
