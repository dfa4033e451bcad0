import { formatInstant } from '../i18n/dates.ts';
import { type Translator, translatorOf } from '../i18n/translator.ts';
import type { Locale } from '../lib/locales.ts';
import { formatMoney } from '../lib/money.ts';
import { type EmailMessage, emailPage, escapeHtml } from '../mail/email-templates.ts';
import type { Refund } from '../refunds/types.ts';
import type { ReceiptContent, ReceiptData, ReceiptRow } from './receipt-content.ts';

type About = {
  locale: Locale;
  /** The refund that it tells of; null for the payment. */
  refund: Refund | null;
  /** The address of the receipt's page. */
  pageUrl: string;
};

/** What stands at the head: the sum, and what became of it. */
type Head = { name: string; amount: string; text: string; more: string | null };

function headOf(
  { merchant, invoice }: ReceiptData,
  content: ReceiptContent,
  { locale, refund }: About,
  t: Translator<'pay'>,
): Head {
  if (!refund) {
    const { title: name, amount } = content;
    const text = t('paid.text', { amount, merchant: merchant.name });
    return { name, amount, text, more: null };
  }
  const amount = formatMoney(refund.amountMinor, invoice.currency, locale);
  const date = formatInstant(refund.updatedAtMs, locale, merchant.timeZone);
  const name = t('letter.refund');
  return { name, amount, text: t('refund.text', { amount, date }), more: t('refund.days') };
}

// Colours are those of the mail program's theme: quieter text is the same one, less opaque.
const MUTED = 'opacity:0.68';
const LINE = 'border-top:1px solid rgba(128,136,150,0.35)';

const paragraph = (text: string, style: string) =>
  `<p style="margin:0;${style}">${escapeHtml(text)}</p>`;

const factHtml = ({ label, value }: ReceiptRow) =>
  `<tr><td style="padding:9px 16px 9px 0;${LINE};${MUTED};width:38%;vertical-align:top">${escapeHtml(label)}</td>` +
  `<td style="padding:9px 0;${LINE};vertical-align:top;overflow-wrap:anywhere">${escapeHtml(value)}</td></tr>`;

const linkHtml = (url: string, text: string) =>
  `<a href="${escapeHtml(url)}" style="color:inherit">${escapeHtml(text)}</a>`;

function htmlOf(content: ReceiptContent, head: Head, { locale, pageUrl }: About): string {
  const t = translatorOf(locale, 'pay');
  const { merchant, testNote, facts, totals, links } = content;
  const sums = totals.length > 1 ? totals : [];
  const contacts = links
    .map(
      ({ url, text }) =>
        `<span style="display:inline-block;margin-right:18px">${linkHtml(url, text)}</span>`,
    )
    .join(' ');
  const body = [
    paragraph(merchant, 'font-weight:600;font-size:17px'),
    paragraph(head.name, `margin-top:28px;${MUTED}`),
    paragraph(head.amount, 'font-weight:600;font-size:30px;line-height:1.25'),
    paragraph(head.text, 'margin-top:10px'),
    ...(head.more ? [paragraph(head.more, MUTED)] : []),
    ...(testNote ? [paragraph(testNote, 'margin-top:10px;font-weight:600')] : []),
    '<table role="presentation" cellspacing="0" cellpadding="0" style="width:100%;margin-top:24px;border-collapse:collapse;font-size:15px">',
    ...[...facts, ...sums].map(factHtml),
    '</table>',
    `<p style="margin:24px 0 0">${linkHtml(pageUrl, t('letter.open'))}</p>`,
    paragraph(t('letter.attached'), MUTED),
    ...(contacts === ''
      ? []
      : [`<p style="margin:28px 0 0;padding-top:16px;${LINE};font-size:14px">${contacts}</p>`]),
    paragraph(t('letter.why'), `margin-top:16px;font-size:13px;${MUTED}`),
  ].join('\n');
  return emailPage({ locale, title: `${head.name} · ${merchant}`, content: body });
}

function textOf(content: ReceiptContent, head: Head, { locale, pageUrl }: About): string {
  const t = translatorOf(locale, 'pay');
  const { testNote, facts, totals, links } = content;
  const rows = [...facts, ...(totals.length > 1 ? totals : [])];
  return [
    [head.text, head.more, testNote].filter(Boolean).join('\n'),
    rows.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    `${t('letter.open')}:\n${pageUrl}`,
    t('letter.attached'),
    links.map(({ kind, text, url }) => (kind === 'contact' ? text : `${text}: ${url}`)).join('\n'),
    t('letter.why'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** The e-mail to a buyer about a payment or a refund, without its PDF. */
export function receiptEmail(
  data: ReceiptData,
  content: ReceiptContent,
  about: About,
): EmailMessage {
  const head = headOf(data, content, about, translatorOf(about.locale, 'pay'));
  return {
    subject: `${head.name} · ${head.amount} · ${content.merchant}`,
    text: `${textOf(content, head, about)}\n`,
    html: htmlOf(content, head, about),
  };
}
