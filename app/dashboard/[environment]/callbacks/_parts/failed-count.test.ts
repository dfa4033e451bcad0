import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { MessagesProvider } from '#app/_i18n/messages-provider.tsx';
import { messagesAt, pickMessages } from '#server/i18n/translator.ts';
import { FailedCount, type FailedCounts } from './failed-count.tsx';

const hosts = Array.from({ length: 7 }, (_, n) => ({ host: `shop${n}.example`, count: 1_000 }));

describe.each([
  ['en', '7,000'],
  ['ru', '7\u00a0000'],
] as const)('in %s', (locale, total) => {
  const t = messagesAt(locale, 'dashboard.callbacks');
  const textOf = (counted: FailedCounts) => {
    const children = createElement(FailedCount, { counted, locale });
    const words = pickMessages(locale, ['dashboard.callbacks']);
    const markup = renderToStaticMarkup(createElement(MessagesProvider, { ...words, children }));
    return markup.replaceAll(/<[^>]*>/g, '|');
  };

  it('names no number where nothing was found among those looked at', () => {
    expect(textOf({ hosts: [], isWhole: false })).toBe(`|${t.noneAmongNewest}|`);
    expect(textOf({ hosts: [], isWhole: true })).toBe(`|${t.none}|`);
    expect(t.noneAmongNewest).not.toBe(t.none);
  });

  it('claims no exact number of callbacks or hosts where some were not looked at', () => {
    const whole = textOf({ hosts, isWhole: true });
    expect(whole).toContain(`|${t.willSend} ${total}|`);
    expect(whole).toContain(`|${t.moreHosts} 2|`);
    const begun = textOf({ hosts, isWhole: false });
    expect(begun).toContain(`|${t.willSendAtLeast} ${total}|`);
    expect(begun).toContain(`|${t.moreHostsAtLeast} 2|`);
  });
});
