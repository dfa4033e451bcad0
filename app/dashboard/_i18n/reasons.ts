import { type ReasonCode, readReason } from '#server/callbacks/reasons.ts';
import { fillIn } from '#server/lib/fill-in.ts';
import type { DashboardLocale } from './messages.ts';

// Why an attempt did not count, in Russian; its English is kept with the attempt.
const RUSSIAN: Record<ReasonCode, string> = {
  url_invalid: 'адрес не является http- или https-URL',
  address_refused: 'адрес не публичный, а вызываются только публичные',
  port_refused: 'на этот порт уведомления не отправляются (только 80, 443 и от 1024)',
  name_not_found: 'имя хоста не найдено или не ведёт на публичный адрес',
  name_lookup_failed: 'имя хоста не удалось разрешить',
  connection_refused: 'в соединении отказано',
  unreachable: 'хост недоступен',
  connection_closed: 'соединение закрыто до конца ответа',
  tls: 'нет защищённого соединения: сертификат или TLS не приняты',
  timeout: 'нет полного ответа за 10 с',
  too_large: 'ответ длиннее 64 КиБ',
  malformed_answer: 'ответ не является HTTP',
  no_signing_secret: 'нет секрета, чтобы подписать',
  other: 'запрос не удался',
  empty: 'ответ пустой',
  not_json: 'ответ не JSON',
  not_decoded: 'ответ не JSON, а его Content-Encoding не удалось раскодировать',
  not_object: 'ответ не является объектом JSON',
  success_missing: 'нет поля `success`',
  success_not_true: '`success` не равно true',
  status: 'ответ {status}, а не 200',
  redirect: 'ответ {status}: перенаправление, по нему не переходят',
  redirect_to: 'перенаправление ({status}) на {to}, по нему не переходят',
  but: '{status}, но {reason}',
  name_unknown: 'имя хоста не найдено',
  continue_unasked: 'ответ начался с 100 Continue, о чём не просили',
};

/** Why a callback's attempt did not count, in the reader's language. */
export function reasonText(reason: string, locale: DashboardLocale): string {
  const read = locale === 'en' ? null : readReason(reason);
  if (!read) return reason;
  const { code, values } = read;
  if (code !== 'but') return fillIn(RUSSIAN[code], values);
  return fillIn(RUSSIAN.but, { ...values, reason: reasonText(String(values.reason), locale) });
}
