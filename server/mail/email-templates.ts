import {
  localesOf,
  type Messages,
  spokenLocale,
  type Translator,
  translatorOf,
} from '../i18n/translator.ts';
import { dateFormat } from '../lib/formats.ts';
import { HOUSE_COLOURS } from '../lib/house-mark.ts';
import { type Locale, propertiesOf } from '../lib/locales.ts';
import type { Role } from '../merchants/types.ts';

/** An e-mail without its envelope: the same text in plain text and simple HTML. */
export type EmailMessage = { subject: string; text: string; html: string };

type Parts = {
  subject: string;
  /** Paragraphs before the link. */
  before: string[];
  link: { words: string; url: string } | null;
  /** Paragraphs after it. */
  after: string[];
};

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A text as HTML shows it. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character);
}

const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`;

function textOf({ before, link, after }: Parts): string {
  return [...before, ...(link ? [link.url] : []), ...after].join('\n\n');
}

const BUTTON =
  'display:inline-block;padding:10px 18px;border-radius:6px;background:#08697a;color:#ffffff;font-weight:600;text-decoration:none';

function htmlOf(locale: Locale, { before, link, after }: Parts): string {
  const url = escapeHtml(link?.url ?? '');
  const leads = link
    ? [`<p><a href="${url}" style="${BUTTON}">${escapeHtml(link.words)}</a></p>`, `<p>${url}</p>`]
    : [];
  const all = [...before.map(paragraph), ...leads, ...after.map(paragraph)];
  return `<div lang="${locale}">\n${all.join('\n')}\n</div>`;
}

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const BAND = `height:8px;background:${HOUSE_COLOURS.lapis};border-bottom:3px solid ${HOUSE_COLOURS.tile}`;

/** The page of an e-mail. No style sheet, no picture, nothing to load: every program shows it alike. */
export function emailPage({
  locale,
  title,
  content,
}: {
  locale: Locale;
  /** As text. */
  title: string;
  /** As HTML. */
  content: string;
}): string {
  return [
    `<!doctype html><html lang="${locale}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${escapeHtml(title)}</title></head>`,
    `<body style="margin:0;padding:0 0 24px;${FONT};font-size:15px;line-height:1.5">`,
    `<div style="${BAND}"></div>`,
    `<div style="max-width:560px;margin:24px auto 0;padding:0 16px">`,
    content,
    '</div></body></html>',
  ].join('\n');
}

function composeAll(parts: [Locale, Parts][]): EmailMessage {
  const subject = parts.map(([, each]) => each.subject).join(' / ');
  const html = emailPage({
    locale: parts[0]?.[0] ?? 'en',
    title: subject,
    content: parts.map(([locale, each]) => htmlOf(locale, each)).join('\n<hr>\n'),
  });
  return {
    subject,
    text: `${parts.map(([, each]) => textOf(each)).join('\n\n* * *\n\n')}\n`,
    html,
  };
}

const compose = (locale: Locale, parts: Parts): EmailMessage =>
  composeAll([[spokenLocale(locale, 'mail'), parts]]);

/** In every language of e-mails, since the reader's is unknown. */
function composeInAll(parts: (t: Translator<'mail'>, locale: Locale) => Parts): EmailMessage {
  return composeAll(
    localesOf('mail').map((locale) => [locale, parts(translatorOf(locale, 'mail'), locale)]),
  );
}

/** `21 November 2026, 12:00 UTC` */
function instant(locale: Locale, at: Date): string {
  const format = dateFormat(propertiesOf(spokenLocale(locale, 'mail')).dateTag, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return `${format.format(at)} UTC`;
}

/** A shop's name in the language's quotes, unless it has its own: ООО «Ромашка». */
function shopText(t: Translator<'mail'>, name: string): string {
  return /[«»„“”"]/.test(name) ? name : t('shop', { name });
}

/** Invites somebody to a merchant's staff. */
export function invitationEmail(
  locale: Locale,
  invitation: {
    merchantName: string;
    invitedBy: string;
    role: Role;
    url: string;
    expiresAt: Date;
  },
): EmailMessage {
  const { merchantName, invitedBy, url, expiresAt } = invitation;
  const t = translatorOf(locale, 'mail');
  const shop = shopText(t, merchantName);
  const role = t(`roles.${invitation.role}`);
  return compose(locale, {
    subject: t('invitation.subject', { shop }),
    before: [t('invitation.text', { invitedBy, shop, role })],
    link: { words: t('invitation.link'), url },
    after: [
      t('invitation.until', { until: instant(locale, expiresAt) }),
      t('invitation.unexpected'),
    ],
  });
}

/** Sends the link for a requested new password. */
export function passwordEmail(
  locale: Locale,
  { url, expiresAt }: { url: string; expiresAt: Date },
): EmailMessage {
  const t = translatorOf(locale, 'mail.password');
  return compose(locale, {
    subject: t('subject'),
    before: [t('text')],
    link: { words: t('link'), url },
    after: [t('until', { until: instant(locale, expiresAt) }), t('unexpected')],
  });
}

/**
 * Sends the link for the first password of an account that was made for its person.
 *
 * @param invitation.merchantName the merchant that they own; null for an operator
 */
export function firstPasswordEmail({
  merchantName,
  url,
  expiresAt,
}: {
  merchantName: string | null;
  url: string;
  expiresAt: Date;
}): EmailMessage {
  return composeInAll((t, locale) => ({
    subject: t('firstPassword.subject'),
    before: [
      merchantName === null
        ? t('firstPassword.operator')
        : t('firstPassword.owner', { shop: shopText(t, merchantName) }),
      t('firstPassword.text'),
    ],
    link: { words: t('firstPassword.link'), url },
    after: [
      t('firstPassword.until', { until: instant(locale, expiresAt) }),
      t('firstPassword.unexpected'),
    ],
  }));
}

/** Changes to a sign-in that its person is told about. */
export type SignInChange = keyof Messages['mail']['changes'];

/**
 * Tells a person that their sign-in has changed; somebody else may have done it.
 *
 * @param change.url where to set a new password, or null where it is not known
 */
export function changeEmail(change: {
  what: SignInChange;
  at: Date;
  /** The network address of the request. */
  address: string | null;
  url: string | null;
}): EmailMessage {
  const { what, address, url } = change;
  return composeInAll((t, locale) => {
    const at = instant(locale, change.at);
    return {
      subject: t(`changes.${what}.subject`),
      before: [
        t(`changes.${what}.text`),
        address === null ? t('change.at', { at }) : t('change.atFrom', { at, address }),
        t('change.advice'),
      ],
      link: url === null ? null : { words: t('change.link'), url },
      after: [],
    };
  });
}

/** Tells a member of staff what has happened; `footer` says where notices are chosen. */
export function noticeEmail(
  locale: Locale,
  notice: {
    subject: string;
    lines: string[];
    link: { words: string; url: string };
    footer: string;
  },
): EmailMessage {
  const { subject, lines, link, footer } = notice;
  return compose(locale, { subject, before: lines, link, after: [footer] });
}

/**
 * The register of a day, for somebody who gets it each morning.
 *
 * @param register.totals a line for each currency
 * @param register.isAttached whether the files are small enough to come with it
 */
export function registerEmail(
  locale: Locale,
  register: {
    merchantName: string;
    day: string;
    totals: string[];
    isAttached: boolean;
    url: string;
  },
): EmailMessage {
  const { merchantName, totals, isAttached, url } = register;
  const t = translatorOf(locale, 'mail');
  const shop = shopText(t, merchantName);
  const { dateTag } = propertiesOf(spokenLocale(locale, 'mail'));
  const format = dateFormat(dateTag, { dateStyle: 'long', timeZone: 'UTC' });
  const day = format.format(Date.parse(register.day));
  const files = t(isAttached ? 'register.attached' : 'register.tooLong');
  return compose(locale, {
    subject: t('register.subject', { shop, day }),
    before: totals.length > 0 ? [...totals, files] : [t('register.nothing', { day })],
    link: { words: t('register.link'), url },
    after: [t('register.stop')],
  });
}
