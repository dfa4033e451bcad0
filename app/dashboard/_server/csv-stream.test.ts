import { TRPCError } from '@trpc/server';
import { expect, it } from 'vitest';
import { en } from '../_i18n/en.ts';
import { csvAnswer, csvStream } from './csv-stream.ts';

type ReadPage = Parameters<typeof csvStream>[1];
const noted = async () => undefined;
const answer = (readPage: ReadPage, note: () => Promise<void> = noted) =>
  csvAnswer(csvStream('head\r\n', readPage), note, 'file', en);

it('is a file once its first page is read', async () => {
  const file = await answer((cursor) =>
    Promise.resolve({ lines: `${cursor}\r\n`, nextCursor: cursor === null ? 'a' : null }),
  );
  expect(file.status).toBe(200);
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="file.csv"');
  // Bytes: the mark at the beginning is none of the text.
  expect(Buffer.from(await file.arrayBuffer()).toString()).toBe('\uFEFFhead\r\nnull\r\na\r\n');
});

it('is no file but an answer in words where the first page cannot be read', async () => {
  for (const fault of [
    new Error('the database went away'),
    new TRPCError({ code: 'INTERNAL_SERVER_ERROR', message: 'secret' }),
  ]) {
    const told = await answer(() => Promise.reject(fault));
    expect(told.status).toBe(503);
    expect(told.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(told.headers.get('content-disposition')).toBeNull();
    expect(await told.text()).toBe('This could not be loaded. Nothing was changed.');
  }
});

it('is no file where nobody could be told of it', async () => {
  const onePage = () => Promise.resolve({ lines: 'first\r\n', nextCursor: null });
  const told = await answer(onePage, () => Promise.reject(new Error('the database went away')));
  expect(told.status).toBe(503);
  expect(told.headers.get('content-disposition')).toBeNull();
});

it('a refusal keeps its own status', async () => {
  const refused = await answer(() => Promise.reject(new TRPCError({ code: 'FORBIDDEN' })));
  expect(refused.status).toBe(403);
  expect(await refused.text()).toBe(en.noPermission.title);
});

it('a fault on a later page breaks the file off, and never ends it as if it were whole', async () => {
  const file = await answer((cursor) =>
    cursor === null
      ? Promise.resolve({ lines: 'first\r\n', nextCursor: 'a' })
      : Promise.reject(new Error('the database went away')),
  );
  expect(file.status).toBe(200);
  await expect(file.text()).rejects.toThrow('the database went away');
});
