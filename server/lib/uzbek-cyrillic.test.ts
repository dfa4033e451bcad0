import { expect, test } from 'vitest';
import uzbek from '../i18n/messages/uz.json';
import { uzbekCyrillic, uzbekCyrillicMessage } from './uzbek-cyrillic.ts';

test.each([
  ['Toʻlov amalga oshmadi', 'Тўлов амалга ошмади'],
  ['Pul yechilmadi', 'Пул ечилмади'],
  ['yoʻqolgan, yoki yozilgan', 'йўқолган, ёки ёзилган'],
  ['eʼtibor, elektron, biroz kechikdi, poema', 'эътибор, электрон, бироз кечикди, поэма'],
  ['maʼlumot, tugʻilgan, togʻ', 'маълумот, туғилган, тоғ'],
  ['yangi yurak, Rossiya versiyasi, daryo', 'янги юрак, Россия версияси, дарё'],
  ['CHEGIRMA, Chek, SHARTLAR, Shoxobcha', 'ЧЕГИРМА, Чек, ШАРТЛАР, Шохобча'],
  ['Oʻzbek, GʻALABA, Yoʻl', 'Ўзбек, ҒАЛАБА, Йўл'],
  ['ming, tong, ketsa', 'минг, тонг, кетса'],
  ['hisob, xarid, qoʻl', 'ҳисоб, харид, қўл'],
  ['21-noyabr, 1-iyun, sentabrda', '21-ноябрь, 1-июнь, сентябрьда'],
  ['Tranzaksiya raqami, tranzaksiyalar', 'Транзакция рақами, транзакциялар'],
  ['STIR, JSHSHIR, OO / YY', 'СТИР, ЖШШИР, ОО / ЙЙ'],
  ['QR-kodi, PDF yuklab olish', 'QR-коди, PDF юклаб олиш'],
  ['3-D Secure dan, SberPay va Uzcard', '3-D Secure дан, SberPay ва Uzcard'],
  ['masalan: name@example.com', 'масалан: name@example.com'],
])('%s is %s', (latin, cyrillic) => {
  expect(uzbekCyrillic(latin)).toBe(cyrillic);
});

test.each([
  ['{amount} toʻlash', '{amount} тўлаш'],
  ['Keyingi urinish: <time></time>.', 'Кейинги уриниш: <time></time>.'],
  [
    'Bu {minutes, plural, one {{minutes} daqiqa} other {# daqiqa}} ichida',
    'Бу {minutes, plural, one {{minutes} дақиқа} other {# дақиқа}} ичида',
  ],
  [
    '{kind, select, inn {STIR} other {Soliq}} {number}',
    '{kind, select, inn {СТИР} other {Солиқ}} {number}',
  ],
])('a message keeps its values, tags and choices: %s', (latin, cyrillic) => {
  expect(uzbekCyrillicMessage(latin)).toBe(cyrillic);
});

test('a message that is not understood is a fault', () => {
  expect(() => uzbekCyrillicMessage('{count, number}')).toThrow(/count, number/);
});

/** The texts of a catalogue's part. */
function texts(part: object): string[] {
  return Object.values(part).flatMap((each) => (typeof each === 'string' ? [each] : texts(each)));
}

test('no word that buyers read is left half in Latin', () => {
  for (const text of texts({ site: uzbek.site, pay: uzbek.pay })) {
    expect(uzbekCyrillicMessage(text)).not.toMatch(/[а-яёўқғҳ][a-zʻʼ]|[a-zʻʼ][а-яёўқғҳ]/i);
  }
});
