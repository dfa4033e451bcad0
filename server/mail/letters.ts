import type { Role } from '../merchants/types.ts';

/** The languages of letters. */
export const LETTER_LOCALES = ['en', 'ru'] as const;
export type LetterLocale = (typeof LETTER_LOCALES)[number];

/** A letter without its envelope: the same words as text and as plain HTML. */
export type Letter = { subject: string; text: string; html: string };

type Parts = {
  subject: string;
  /** Paragraphs before the link. */
  before: string[];
  link: { words: string; url: string };
  /** Paragraphs after it. */
  after: string[];
};

const ROLES: Record<LetterLocale, Record<Role, string>> = {
  en: {
    owner: 'owner',
    admin: 'admin',
    developer: 'developer',
    support: 'support',
    viewer: 'viewer',
  },
  ru: {
    owner: 'владелец',
    admin: 'администратор',
    developer: 'разработчик',
    support: 'поддержка',
    viewer: 'наблюдатель',
  },
};

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character);
}

/** No style sheet, no picture, nothing loaded: a letter that every program shows alike. */
function compose(locale: LetterLocale, { subject, before, link, after }: Parts): Letter {
  const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`;
  const url = escapeHtml(link.url);
  const html = [
    `<!doctype html><html lang="${locale}"><head><meta charset="utf-8">`,
    `<title>${escapeHtml(subject)}</title></head><body>`,
    ...before.map(paragraph),
    `<p><a href="${url}">${escapeHtml(link.words)}</a></p>`,
    `<p>${url}</p>`,
    ...after.map(paragraph),
    '</body></html>',
  ].join('\n');
  return { subject, text: `${[...before, link.url, ...after].join('\n\n')}\n`, html };
}

/** `21 November 2026, 12:00 UTC` */
function instant(locale: LetterLocale, at: Date): string {
  const format = new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : 'ru', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return `${format.format(at)} UTC`;
}

/** Asks somebody onto the staff of a merchant. */
export function invitationLetter(
  locale: LetterLocale,
  invitation: {
    merchantName: string;
    invitedBy: string;
    role: Role;
    url: string;
    expiresAt: Date;
  },
): Letter {
  const { merchantName, invitedBy, url } = invitation;
  const role = ROLES[locale][invitation.role];
  const until = instant(locale, invitation.expiresAt);
  if (locale === 'ru') {
    return compose(locale, {
      subject: `Приглашение в магазин «${merchantName}»`,
      before: [
        `${invitedBy} приглашает вас в команду магазина «${merchantName}» платёжного шлюза. Ваша роль: ${role}.`,
      ],
      link: { words: 'Принять приглашение', url },
      after: [
        `Ссылка действует до ${until} и срабатывает один раз.`,
        'Если вы не ждали этого письма, ничего делать не нужно.',
      ],
    });
  }
  return compose(locale, {
    subject: `You are invited to ${merchantName}`,
    before: [
      `${invitedBy} invites you to the team of ${merchantName} at the payment gateway. Your role: ${role}.`,
    ],
    link: { words: 'Accept the invitation', url },
    after: [
      `The link works once, until ${until}.`,
      'If you did not expect this letter, you need not do anything.',
    ],
  });
}

/** Leads somebody who asked to a new password. */
export function passwordLetter(
  locale: LetterLocale,
  { url, expiresAt }: { url: string; expiresAt: Date },
): Letter {
  const until = instant(locale, expiresAt);
  if (locale === 'ru') {
    return compose(locale, {
      subject: 'Новый пароль',
      before: ['Кто-то попросил новый пароль для вашей учётной записи в платёжном шлюзе.'],
      link: { words: 'Задать новый пароль', url },
      after: [
        `Ссылка действует до ${until} и срабатывает один раз. После смены пароля все сеансы завершатся.`,
        'Если это были не вы, ничего делать не нужно: пароль остаётся прежним.',
      ],
    });
  }
  return compose(locale, {
    subject: 'A new password',
    before: ['Somebody asked for a new password for your account at the payment gateway.'],
    link: { words: 'Set a new password', url },
    after: [
      `The link works once, until ${until}. All sessions end when the password is changed.`,
      'If it was not you, you need not do anything: the password stays as it is.',
    ],
  });
}
