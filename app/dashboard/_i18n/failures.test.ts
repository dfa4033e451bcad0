import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { weaknessOf } from '#server/auth/passwords.ts';
import { failureInWords } from './failures.ts';

// Where procedures lead to; the rest of the server speaks to programs and operators.
const SPEAKS_TO_STAFF = /^(auth|callbacks|invoices|lib|mail|merchants|payments|trpc)\/.*\.ts$/;
const IS_TEST = /\.test\.ts$/;
const NAMES: Record<string, string[]> = {
  what: ["A merchant's name", "A token's name"],
  MAX_NAME_LENGTH: ['200'],
  MAX_ACTIVE: ['100'],
  'result.status': ['PAID', 'EXPIRED', 'CANCELED'],
};

/** The text of the brackets that open before `start`, which hold no brackets in strings. */
function argumentsAt(source: string, start: number): string {
  let depth = 1;
  let end = start;
  for (; depth > 0 && end < source.length; end += 1) {
    if (source[end] === '(') depth += 1;
    if (source[end] === ')') depth -= 1;
  }
  return source.slice(start, end - 1);
}

const LITERAL = /'((?:[^'\\\n]|\\.)*)'|"([^"\n]*)"|`([^`]*)`/g;

function sentencesIn(text: string): string[] {
  return [...text.matchAll(LITERAL)]
    .map(([, single, double, template]) => single ?? double ?? template ?? '')
    .filter((literal) => literal.includes(' '));
}

/** All that a template can say, with an address for what nobody can list. */
function written(template: string): string[] {
  const hole = /\$\{([^}]*)\}/.exec(template);
  if (!hole) return [template];
  const values = NAMES[hole[1] ?? ''] ?? ['mail@shop.example'];
  return values.flatMap((value) => written(template.replace(hole[0], () => value)));
}

function messagesOf(source: string): string[] {
  return [...source.matchAll(/new (?:GatewayError|TRPCError)\(/g)].flatMap((match) => {
    const text = argumentsAt(source, match.index + match[0].length);
    const constants = [...text.matchAll(/\b[A-Z_]{6,}\b/g)].map(
      ([name]) => new RegExp(`const ${name} =\\s*('[^']*')`).exec(source)?.[1] ?? '',
    );
    return sentencesIn([text, ...constants].join(' ')).flatMap(written);
  });
}

// These two stand in a function that only names what is wrong.
const weaknesses = ['short', 'aaaaaaaaaaaaaaaaaaaa'].map((password) =>
  String(weaknessOf(password, 'owner@shop.example')),
);

const messages = readdirSync('server', { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => SPEAKS_TO_STAFF.test(file) && !IS_TEST.test(file))
  .flatMap((file) => messagesOf(readFileSync(`server/${file}`, 'utf8')))
  .concat(weaknesses, 'Internal server error', 'Not valid: name.');

test('every reason that a procedure can refuse for exists in Russian', () => {
  expect(new Set(messages).size).toBeGreaterThan(35);
  const english = messages.filter((message) => !/[а-яё]/i.test(failureInWords(message, 'ru')));
  expect(english).toEqual([]);
});

test('in English it stays as it is, and what is unknown stays in any language', () => {
  expect(messages.map((message) => failureInWords(message, 'en'))).toEqual(messages);
  expect(failureInWords('Something new', 'ru')).toBe('Something new');
});
