import type { ErrorCode, GatewayError } from '#server/lib/errors.ts';
import { fillIn } from '#server/lib/fill-in.ts';
import type { DashboardLocale } from './messages.ts';

// Why a procedure refuses, in Russian; its English stands in the server.
const RUSSIAN: Record<ErrorCode, string> = {
  internal_error: 'Внутренняя ошибка шлюза. Попробуйте ещё раз.',
  busy: 'Шлюз перегружен. Попробуйте ещё раз.',
  too_many_requests: 'Слишком много запросов. Подождите немного и попробуйте снова.',
  other_site: 'Запрос пришёл не со страницы шлюза.',
  environment_not_found: 'Такой среды нет.',
  input_invalid: 'Неверно заполнено: {fields}.',
  signed_out: 'Сначала войдите.',
  page_of_other_merchant: 'На этой странице другой магазин. Загрузите её снова.',
  page_of_earlier_version: 'Это страница прежней версии шлюза. Загрузите её снова.',
  second_factor_missing: 'Сначала подключите второй фактор.',
  permission_missing: 'Ваша роль этого не разрешает.',
  merchant_suspended: 'Магазин приостановлен.',
  not_operator: 'Это только для сотрудников шлюза.',
  session_not_found: 'Такого сеанса нет.',
  not_on_staff: 'Вы не в команде этого магазина.',
  account_disabled: 'Учётная запись {email} отключена.',
  own_account_disabled: 'Эта учётная запись отключена.',
  email_invalid: '«{email}» не адрес электронной почты.',
  email_unusual:
    'В «{email}» перед @ есть знаки, которых большинство почтовых серверов не принимает.',
  email_not_sent: 'Письмо не удалось отправить. Попробуйте позже.',
  password_length: 'Пароль: от {least} до {most} знаков.',
  password_guessable:
    'Этот пароль слишком легко угадать: он состоит из частых слов, рядов вроде 1234, повторов или вашего адреса.',
  proof_wrong: 'Неверный пароль или код.',
  proofs_throttled: 'Слишком много попыток. Попробуйте снова через четверть часа.',
  proofs_spent: 'Слишком много попыток за день. Попробуйте снова завтра.',
  codes_throttled:
    'Слишком много попыток. Попробуйте снова через четверть часа или введите пароль либо код восстановления.',
  codes_spent:
    'Слишком много попыток за день. Попробуйте снова завтра или введите пароль либо код восстановления.',
  sign_in_too_old: 'Сначала выйдите и войдите снова.',
  code_wrong: 'Код неверный.',
  code_not_expected: 'Начните сначала: код не ожидается.',
  second_factor_off: 'Второй фактор не включён.',
  second_factor_stays: 'Он уже выключен, или его требует один из ваших магазинов.',
  operators_need_second_factor:
    'Шлюз требует второй фактор от своих операторов: его нельзя выключить.',
  member_not_found: 'Такого участника нет.',
  already_member: '{email} уже в команде.',
  already_invited: '{email} уже в числе приглашённых.',
  invitation_not_found: 'Такого открытого приглашения нет.',
  too_many_invitations: 'На сегодня приглашений достаточно.',
  role_above_own: 'Нельзя дать роль выше своей.',
  last_owner: 'У магазина должен быть хотя бы один владелец. Сначала назначьте другого.',
  own_second_factor_missing: 'Сначала подключите второй фактор для себя.',
  owner_not_found: 'Такого владельца у магазина нет.',
  owner_came_in: 'Владелец {email} тем временем уже вошёл: ссылка не нужна.',
  merchant_not_found: 'Такого магазина нет.',
  merchant_unknown: 'Нет магазина {merchantId}.',
  merchant_name_invalid:
    'Название магазина: от 1 до {most} знаков, без переводов строки и других управляющих символов.',
  merchant_name_is_address: 'Название магазина не адрес: уберите ://, www. и @.',
  time_zone_not_found: 'Такого часового пояса нет.',
  colour_invalid: 'Цвет пишется так: #2b4bd0.',
  logo_invalid: 'Логотип: картинка PNG или WebP не больше 40 КиБ.',
  settings_changed:
    'Тем временем настройки сохранил кто-то другой. Загрузите страницу снова, чтобы увидеть их.',
  token_not_found: 'Такого токена нет.',
  token_ended: 'Такого токена нет, или он больше не действует.',
  token_name_invalid:
    'Название токена: от 1 до {most} знаков, без переводов строки и других управляющих символов.',
  token_rotated:
    'Этот токен уже заменён: замените тот, что пришёл ему на смену, или создайте новый.',
  token_ends_anyway: 'Этот токен и так перестанет действовать к тому времени: создайте новый.',
  too_many_tokens: 'В этой среде действует {most} токенов, больше нельзя: сначала отключите один.',
  earlier_secret_signs:
    'Более ранний секрет ещё действует и перестал бы действовать сразу. Убедитесь, что он не нужен ни одному вашему серверу, затем обновите страницу и смените.',
  invoice_not_found: 'Такого счёта нет.',
  form_sent_before: 'Эта форма уже была отправлена. Загрузите страницу снова.',
  invoice_paid: 'Счёт нельзя отменить: он уже оплачен',
  invoice_expired: 'Счёт нельзя отменить: он уже истёк',
  invoice_canceled: 'Счёт нельзя отменить: он уже отменён',
  invoice_being_paid: 'Счёт нельзя отменить: оплата завершается',
  invoice_not_cancelled_now: 'Сейчас счёт нельзя отменить. Попробуйте позже.',
  payment_not_begun: 'Платёж не удалось начать. Попробуйте позже.',
  too_many_exports: 'Слишком много файлов: подождите десять минут.',
  callback_not_found: 'Такого уведомления нет.',
  callback_in_flight: 'Оно отправляется прямо сейчас.',
  callback_url_invalid: 'Это не адрес http или https без пароля в нём.',
  host_name_too_long: 'Имя хоста длиннее допустимого.',
  too_many_tests: 'Слишком много проверок: подождите десять минут.',
  too_many_resends: 'Слишком много повторных отправок по одной: подождите десять минут.',
  too_many_resends_of_all:
    'Всё неудавшееся отправлялось повторно слишком часто: подождите десять минут.',
};

/** Why a procedure refused, in the reader's language. */
export function failureInWords(
  { code, values, message }: Pick<GatewayError, 'code' | 'values' | 'message'>,
  locale: DashboardLocale,
): string {
  return locale === 'en' ? message : fillIn(RUSSIAN[code], values);
}
