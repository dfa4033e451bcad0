import type { DashboardLocale } from './messages.ts';

// Why a procedure refuses, as the server says it in English, in Russian. A test finds
// what is missing here.
const RUSSIAN: Record<string, string> = {
  'Internal server error': 'Внутренняя ошибка шлюза. Попробуйте ещё раз.',
  'Service is busy': 'Шлюз перегружен. Попробуйте ещё раз.',
  'Too many requests. Wait a moment, then try again.':
    'Слишком много запросов. Подождите немного и попробуйте снова.',
  'This did not come from a page of the gateway.': 'Запрос пришёл не со страницы шлюза.',
  'There is no such environment.': 'Такой среды нет.',
  'Sign in first.': 'Сначала войдите.',
  'This page shows another merchant. Load it again.':
    'На этой странице другой магазин. Загрузите её снова.',
  'This page is of an earlier version of the gateway. Load it again.':
    'Это страница прежней версии шлюза. Загрузите её снова.',
  'Set up a second factor first.': 'Сначала подключите второй фактор.',
  'Your role does not allow this.': 'Ваша роль этого не разрешает.',
  'The merchant is suspended.': 'Магазин приостановлен.',
  'Sign out and in again first.': 'Сначала выйдите и войдите снова.',
  'This is for the gateway’s own staff.': 'Это только для сотрудников шлюза.',
  'There is no such session.': 'Такого сеанса нет.',
  'You are not on the staff of that merchant.': 'Вы не в команде этого магазина.',
  'There is no such merchant.': 'Такого магазина нет.',
  'The merchant has no such owner.': 'Такого владельца у магазина нет.',
  'There is no such invoice.': 'Такого счёта нет.',
  'This form was sent before. Load the page again.':
    'Эта форма уже была отправлена. Загрузите страницу снова.',
  'Invoice cannot be cancelled: a payment is being completed':
    'Счёт нельзя отменить: оплата завершается',
  'The invoice cannot be cancelled now. Try again later.':
    'Сейчас счёт нельзя отменить. Попробуйте позже.',
  'The payment could not begin. Try again later.': 'Платёж не удалось начать. Попробуйте позже.',
  'There is no callback.': 'Такого уведомления нет.',
  'It is being sent right now.': 'Оно отправляется прямо сейчас.',
  'This is no http or https address without a password.':
    'Это не адрес http или https без пароля в нём.',
  'The name of the host is longer than a name can be.': 'Имя хоста длиннее допустимого.',
  'Too many files: wait ten minutes.': 'Слишком много файлов: подождите десять минут.',
  'Too many tests: wait ten minutes.': 'Слишком много проверок: подождите десять минут.',
  'Too many callbacks resent one by one: wait ten minutes.':
    'Слишком много повторных отправок по одной: подождите десять минут.',
  'All that failed was resent too often: wait ten minutes.':
    'Всё неудавшееся отправлялось повторно слишком часто: подождите десять минут.',
  'There is no such token.': 'Такого токена нет.',
  'There is no such token, or it has ended.': 'Такого токена нет, или он больше не действует.',
  'This token was rotated before: rotate the one that followed it, or make a new one.':
    'Этот токен уже заменён: замените тот, что пришёл ему на смену, или создайте новый.',
  'This token ends by then anyway: make a new one.':
    'Этот токен и так перестанет действовать к тому времени: создайте новый.',
  '100 tokens work in this environment, the most there can be: deactivate one first.':
    'В этой среде действует 100 токенов, больше нельзя: сначала отключите один.',
  'An earlier secret still signs and would end now. Make sure that no server of yours needs it, then load this page again and rotate.':
    'Более ранний секрет ещё действует и перестал бы действовать сразу. Убедитесь, что он не нужен ни одному вашему серверу, затем обновите страницу и смените.',
  "A merchant's name must have 1 to 200 characters, no line breaks or other control characters.":
    'Название магазина: от 1 до 200 знаков, без переводов строки и других управляющих символов.',
  "A merchant's name is no address: leave out ://, www. and @.":
    'Название магазина не адрес: уберите ://, www. и @.',
  "A token's name must have 1 to 200 characters, no line breaks or other control characters.":
    'Название токена: от 1 до 200 знаков, без переводов строки и других управляющих символов.',
  'A colour is written like #2b4bd0.': 'Цвет пишется так: #2b4bd0.',
  'A logo is a PNG or WebP picture of at most 40 KiB.':
    'Логотип: картинка PNG или WebP не больше 40 КиБ.',
  'There is no such time zone.': 'Такого часового пояса нет.',
  'Somebody else saved the settings meanwhile. Load the page again to see theirs.':
    'Тем временем настройки сохранил кто-то другой. Загрузите страницу снова, чтобы увидеть их.',
  'Too many invitations for today.': 'На сегодня приглашений достаточно.',
  'There is no such open invitation.': 'Такого открытого приглашения нет.',
  'The letter could not be sent. Try again later.':
    'Письмо не удалось отправить. Попробуйте позже.',
  'This account is disabled.': 'Эта учётная запись отключена.',
  'There is no such member.': 'Такого участника нет.',
  'Nobody gives a role above their own.': 'Нельзя дать роль выше своей.',
  'A merchant needs at least one owner. Make someone else an owner first.':
    'У магазина должен быть хотя бы один владелец. Сначала назначьте другого.',
  'Set up your own second factor first.': 'Сначала подключите второй фактор для себя.',
  'There is no second factor.': 'Второй фактор не включён.',
  'Begin again: no code is waited for.': 'Начните сначала: код не ожидается.',
  'The code is not right.': 'Код неверный.',
  'The password or the code is not right.': 'Неверный пароль или код.',
  'It is off already, or a merchant of yours demands it.':
    'Он уже выключен, или его требует один из ваших магазинов.',
  'The gateway demands a second factor of its operators: it stays on.':
    'Шлюз требует второй фактор от своих операторов: его нельзя выключить.',
  'This password is too easy to guess: it is made of common words, rows like 1234, repeats or your own address.':
    'Этот пароль слишком легко угадать: он состоит из частых слов, рядов вроде 1234, повторов или вашего адреса.',
  'Too many attempts. Try again in a quarter of an hour.':
    'Слишком много попыток. Попробуйте снова через четверть часа.',
  'Too many attempts. Try again in a quarter of an hour, or use your password or a recovery code.':
    'Слишком много попыток. Попробуйте снова через четверть часа или введите пароль либо код восстановления.',
  'Too many attempts for one day. Try again tomorrow.':
    'Слишком много попыток за день. Попробуйте снова завтра.',
  'Too many attempts for one day. Try again tomorrow, or use your password or a recovery code.':
    'Слишком много попыток за день. Попробуйте снова завтра или введите пароль либо код восстановления.',
};

const STATUSES: Record<string, string> = {
  PAID: 'оплачен',
  EXPIRED: 'истёк',
  CANCELED: 'отменён',
};

const RULES: [RegExp, (...parts: string[]) => string][] = [
  [
    /^Invoice cannot be cancelled: it is already (\w+)$/,
    (_, status = '') => `Счёт нельзя отменить: он уже ${STATUSES[status] ?? status}`,
  ],
  [/^(.+) is on the team already\.$/, (_, email) => `${email} уже в команде.`],
  [/^(.+) is invited already\.$/, (_, email) => `${email} уже в числе приглашённых.`],
  [/^"(.*)" is not an e-mail address\.$/, (_, text) => `«${text}» не адрес электронной почты.`],
  [
    /^"(.*)" has characters before the @ that most mail servers refuse\.$/,
    (_, text) =>
      `В «${text}» перед @ есть знаки, которых большинство почтовых серверов не принимает.`,
  ],
  [/^The account of (.+) is disabled\.$/, (_, email) => `Учётная запись ${email} отключена.`],
  [
    /^(.+) has come in meanwhile and needs no link\.$/,
    (_, email) => `Владелец ${email} тем временем уже вошёл: ссылка не нужна.`,
  ],
  [
    /^A password has (\d+) to (\d+) characters\.$/,
    (_, least, most) => `Пароль: от ${least} до ${most} знаков.`,
  ],
  [/^No merchant (.+)\.$/, (_, id) => `Нет магазина ${id}.`],
  [/^Not valid: (.+)\.$/, (_, fields) => `Неверно заполнено: ${fields}.`],
];

/** Why a procedure refused, in the reader's language. */
export function failureInWords(message: string, locale: DashboardLocale): string {
  if (locale === 'en') return message;
  for (const [pattern, write] of RULES) {
    const match = pattern.exec(message);
    if (match) return write(...match);
  }
  return RUSSIAN[message] ?? message;
}
