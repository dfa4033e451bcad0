import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { WebAddress } from './web-address.tsx';

it.each([
  ['https://shop.example/callbacks', ['https://', 'shop.', 'example/', 'callbacks']],
  [
    'http://127.0.0.1:9/a?b=c&d',
    ['http://', '127.', '0.', '0.', '1:9/', 'a?', 'b=', 'c&amp;', 'd'],
  ],
  ['https://x/привет-😀/', ['https://', 'x/', 'привет-', '😀/']],
])('%s is broken behind its marks alone, and is whole', (url, parts) => {
  const markup = renderToStaticMarkup(createElement(WebAddress, { url }));
  const inner = markup.replace(/^<span[^>]*>|<\/span>$/g, '');
  expect(inner.split('<wbr/>')).toEqual(parts);
});
