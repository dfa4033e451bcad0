import type { DashboardLocale } from './messages.ts';

// What delivery writes down stands in English; each of its sentences in Russian.
const RUSSIAN: Record<string, string> = {
  'the address is not a valid http or https URL': 'адрес не является http- или https-URL',
  'the address is not a public one, and only public ones are called':
    'адрес не публичный, а вызываются только публичные',
  'the port is not one that callbacks are sent to (80, 443, or 1024 and above)':
    'на этот порт уведомления не отправляются (только 80, 443 и от 1024)',
  'the name of the host was not found, or does not lead to a public address':
    'имя хоста не найдено или не ведёт на публичный адрес',
  'the name of the host could not be looked up': 'имя хоста не удалось разрешить',
  'connection refused': 'в соединении отказано',
  'the host could not be reached': 'хост недоступен',
  'the connection was closed before the answer was complete': 'соединение закрыто до конца ответа',
  'no secure connection: the certificate or the TLS handshake was not accepted':
    'нет защищённого соединения: сертификат или TLS не приняты',
  'no complete answer within 10 s': 'нет полного ответа за 10 с',
  'answer longer than 64 KiB': 'ответ длиннее 64 КиБ',
  'the answer is not valid HTTP': 'ответ не является HTTP',
  'there is no signing secret to sign it with': 'нет секрета, чтобы подписать',
  'the request failed': 'запрос не удался',
  'the answer was empty': 'ответ пустой',
  'the answer was not JSON': 'ответ не JSON',
  'the answer was not JSON, and its Content-Encoding could not be decoded':
    'ответ не JSON, а его Content-Encoding не удалось раскодировать',
  'the answer was not a JSON object': 'ответ не является объектом JSON',
  '`success` was missing': 'нет поля `success`',
  '`success` was not true': '`success` не равно true',
  // No attempt ends so any more; older ones keep their words.
  'the name of the host was not found': 'имя хоста не найдено',
  'the answer began with 100 Continue, which was not asked for':
    'ответ начался с 100 Continue, о чём не просили',
};

const RULES: [RegExp, (...parts: string[]) => string][] = [
  [/^answered (\d+), not 200$/, (_, status) => `ответ ${status}, а не 200`],
  [
    /^answered (\d+), a redirect, which is not followed$/,
    (_, status) => `ответ ${status}: перенаправление, по нему не переходят`,
  ],
  [
    /^redirected \((\d+)\) to (.*), which is not followed$/,
    (_, status, to) => `перенаправление (${status}) на ${to}, по нему не переходят`,
  ],
  [/^(\d+), but (.*)$/, (_, status, rest = '') => `${status}, но ${RUSSIAN[rest] ?? rest}`],
];

/** Why a callback's attempt did not count, in the reader's language. */
export function reasonText(reason: string, locale: DashboardLocale): string {
  if (locale === 'en') return reason;
  for (const [pattern, write] of RULES) {
    const match = pattern.exec(reason);
    if (match) return write(...match);
  }
  return RUSSIAN[reason] ?? reason;
}
