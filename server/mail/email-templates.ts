import { dateFormat } from '../lib/formats.ts';
import type { Role } from '../merchants/types.ts';

/** The languages of e-mails. */
export const EMAIL_LOCALES = ['en', 'ru'] as const;
export type EmailLocale = (typeof EMAIL_LOCALES)[number];

/** An e-mail without its envelope: the same words as text and as plain HTML. */
export type EmailMessage = { subject: string; text: string; html: string };

type Parts = {
  subject: string;
  /** Paragraphs before the link. */
  before: string[];
  link: { words: string; url: string } | null;
  /** Paragraphs after it. */
  after: string[];
};

const ROLES: Record<EmailLocale, Record<Role, string>> = {
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

const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`;

function textOf({ before, link, after }: Parts): string {
  return [...before, ...(link ? [link.url] : []), ...after].join('\n\n');
}

function htmlOf(locale: EmailLocale, { before, link, after }: Parts): string {
  const url = escapeHtml(link?.url ?? '');
  const leads = link
    ? [`<p><a href="${url}">${escapeHtml(link.words)}</a></p>`, `<p>${url}</p>`]
    : [];
  const all = [...before.map(paragraph), ...leads, ...after.map(paragraph)];
  return `<div lang="${locale}">\n${all.join('\n')}\n</div>`;
}

/** No style sheet, no picture, nothing loaded: an e-mail that every program shows alike. */
function composeAll(parts: [EmailLocale, Parts][]): EmailMessage {
  const subject = parts.map(([, each]) => each.subject).join(' / ');
  const html = [
    `<!doctype html><html lang="${parts[0]?.[0]}"><head><meta charset="utf-8">`,
    `<title>${escapeHtml(subject)}</title></head><body>`,
    parts.map(([locale, each]) => htmlOf(locale, each)).join('\n<hr>\n'),
    '</body></html>',
  ].join('\n');
  return {
    subject,
    text: `${parts.map(([, each]) => textOf(each)).join('\n\n* * *\n\n')}\n`,
    html,
  };
}

const compose = (locale: EmailLocale, parts: Parts): EmailMessage => composeAll([[locale, parts]]);

/** `21 November 2026, 12:00 UTC` */
function instant(locale: EmailLocale, at: Date): string {
  const format = dateFormat(locale === 'en' ? 'en-GB' : 'ru', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return `${format.format(at)} UTC`;
}

/** A shop's name in Russian quotes, unless it brings its own: ООО «Ромашка». */
const quoted = (name: string): string => (/[«»„“”"]/.test(name) ? name : `«${name}»`);

/** Asks somebody onto the staff of a merchant. */
export function invitationEmail(
  locale: EmailLocale,
  invitation: {
    merchantName: string;
    invitedBy: string;
    role: Role;
    url: string;
    expiresAt: Date;
  },
): EmailMessage {
  const { merchantName, invitedBy, url } = invitation;
  const role = ROLES[locale][invitation.role];
  const until = instant(locale, invitation.expiresAt);
  if (locale === 'ru') {
    return compose(locale, {
      subject: `Приглашение в магазин ${quoted(merchantName)}`,
      before: [
        `${invitedBy} приглашает вас в команду магазина ${quoted(merchantName)} платёжного шлюза. Ваша роль: ${role}.`,
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
      'If you did not expect this email, you can ignore it.',
    ],
  });
}

/** Leads somebody who asked to a new password. */
export function passwordEmail(
  locale: EmailLocale,
  { url, expiresAt }: { url: string; expiresAt: Date },
): EmailMessage {
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

/** Leads somebody whose account was made for them to a password of their own. */
function firstPasswordParts(
  locale: EmailLocale,
  { merchantName, url, expiresAt }: FirstPasswordInvitation,
): Parts {
  const until = instant(locale, expiresAt);
  if (locale === 'ru') {
    const what =
      merchantName === null ? 'оператором шлюза' : `владельцем магазина ${quoted(merchantName)}`;
    return {
      subject: 'Задайте свой пароль',
      before: [
        `Оператор платёжного шлюза сделал вас ${what}.`,
        'Чтобы войти, задайте пароль. Кроме вас, его никто не узнает.',
      ],
      link: { words: 'Задать пароль', url },
      after: [
        `Ссылка действует до ${until} и срабатывает один раз. Позже новую пришлёт «Забыли пароль?» на странице входа.`,
        'Если вы не ждали этого письма, ничего делать не нужно.',
      ],
    };
  }
  const what = merchantName === null ? 'an operator of the gateway' : `an owner of ${merchantName}`;
  return {
    subject: 'Set your password',
    before: [
      `The operator of the payment gateway has made you ${what}.`,
      'To sign in, set a password. Nobody but you will know it.',
    ],
    link: { words: 'Set your password', url },
    after: [
      `The link works once, until ${until}. After that, “Forgot your password?” on the sign-in page sends another.`,
      'If you did not expect this email, you can ignore it.',
    ],
  };
}

type FirstPasswordInvitation = {
  /** Of the merchant that they own; null for an operator. */
  merchantName: string | null;
  url: string;
  expiresAt: Date;
};

/** As `firstPasswordParts`, in every language of e-mails: which one they read is not known. */
export function firstPasswordEmail(invitation: FirstPasswordInvitation): EmailMessage {
  return composeAll(
    EMAIL_LOCALES.map((locale) => [locale, firstPasswordParts(locale, invitation)]),
  );
}

/** What a person is told of: how they sign in is no longer what it was. */
export type SignInChange =
  | 'firstPassword'
  | 'password'
  | 'factorOn'
  | 'factorOff'
  | 'factorCleared'
  | 'recoveryCodes';

const CHANGES: Record<EmailLocale, Record<SignInChange, { subject: string; sentence: string }>> = {
  en: {
    firstPassword: {
      subject: 'Your password was set',
      sentence: 'A first password was set for your account at the payment gateway.',
    },
    password: {
      subject: 'Your password was changed',
      sentence: 'The password of your account at the payment gateway was changed.',
    },
    factorOn: {
      subject: 'A second factor was set up',
      sentence: 'A second factor was set up for your account at the payment gateway.',
    },
    factorOff: {
      subject: 'Your second factor was turned off',
      sentence:
        'The second factor of your account at the payment gateway was turned off. The password alone opens it now.',
    },
    factorCleared: {
      subject: 'Your second factor was taken off',
      sentence:
        'The operator of the payment gateway has taken the second factor off your account, as for somebody who has lost it. The password alone opens it now.',
    },
    recoveryCodes: {
      subject: 'You have new recovery codes',
      sentence:
        'New recovery codes were created for your account at the payment gateway. The old ones no longer work.',
    },
  },
  ru: {
    firstPassword: {
      subject: 'Ваш пароль задан',
      sentence: 'Для вашей учётной записи в платёжном шлюзе задан первый пароль.',
    },
    password: {
      subject: 'Ваш пароль изменён',
      sentence: 'Пароль вашей учётной записи в платёжном шлюзе изменён.',
    },
    factorOn: {
      subject: 'Второй фактор подключён',
      sentence: 'Для вашей учётной записи в платёжном шлюзе подключён второй фактор.',
    },
    factorOff: {
      subject: 'Ваш второй фактор отключён',
      sentence:
        'Второй фактор вашей учётной записи в платёжном шлюзе отключён. Теперь для входа хватит одного пароля.',
    },
    factorCleared: {
      subject: 'Ваш второй фактор снят',
      sentence:
        'Оператор платёжного шлюза снял второй фактор с вашей учётной записи, как если бы он был утерян. Теперь для входа хватит одного пароля.',
    },
    recoveryCodes: {
      subject: 'У вас новые коды восстановления',
      sentence:
        'Для вашей учётной записи в платёжном шлюзе созданы новые коды восстановления. Прежние больше не действуют.',
    },
  },
};

/**
 * Tells a person that how they sign in has changed, in every language of e-mails: which one they
 * read is not known, for it may have been somebody else who did it.
 *
 * @param change.url where a new password is set, or null where it is not known
 */
export function changeEmail(change: {
  what: SignInChange;
  at: Date;
  /** The network address that it came from. */
  address: string | null;
  url: string | null;
}): EmailMessage {
  const { what, at, address, url } = change;
  const by = {
    en: {
      place: address === null ? '.' : `, from the network address ${address}.`,
      advice:
        'If it was you, you need not do anything. If not, set a new password at once, and tell an owner of your team or the operator of the gateway.',
      words: 'Set a new password',
    },
    ru: {
      place: address === null ? '.' : `, с сетевого адреса ${address}.`,
      advice:
        'Если это были вы, ничего делать не нужно. Если нет, сразу задайте новый пароль и сообщите владельцу вашей команды или оператору шлюза.',
      words: 'Задать новый пароль',
    },
  };
  return composeAll(
    EMAIL_LOCALES.map((locale) => {
      const { subject, sentence } = CHANGES[locale][what];
      const { place, advice, words } = by[locale];
      const before = [sentence, `${instant(locale, at)}${place}`, advice];
      return [locale, { subject, before, link: url === null ? null : { words, url }, after: [] }];
    }),
  );
}
