import { readFileSync } from 'node:fs';
import path from 'node:path';
import { TRPCError } from '@trpc/server';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { GatewayError } from '#server/lib/errors.ts';
import type { Locale } from '#server/lib/locales.ts';
import { projectRoot } from '#server/settings/settings.ts';
import { ROWS_OF_FILE_PAGE } from '#server/trpc/inputs.ts';
import { trpcError } from '#server/trpc/refusals.ts';
import type { ExportPlace } from './export-places.ts';
import { csvStream, fileAnswer } from './file-stream.ts';

type ReadPage = Parameters<typeof csvStream>[1];
const noted = async () => undefined;
const over = vi.fn();
const place: ExportPlace = { inTurn: (readPage) => readPage(), leave: over };
const answer = (readPage: ReadPage, note: () => Promise<void> = noted, locale: Locale = 'en') =>
  fileAnswer(csvStream('head\r\n', readPage, place), note, 'file.csv', locale);

beforeEach(() => over.mockClear());
afterEach(() => {
  vi.useRealTimers();
});

it('is a file once its first page is read', async () => {
  const file = await answer((cursor) =>
    Promise.resolve({ lines: `${cursor}\r\n`, nextCursor: cursor === null ? 'a' : null }),
  );
  expect(file.status).toBe(200);
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="file.csv"');
  // The test reads bytes, because the mark at the beginning is not part of the text.
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
  expect(await refused.text()).toBe('Your role does not allow this');
});

it('who takes too many is told so in the language of the page', async () => {
  const tooMany = () => Promise.reject(trpcError(new GatewayError('too_many_exports')));
  const onePage = () => Promise.resolve({ lines: 'first\r\n', nextCursor: null });
  const refused = await answer(onePage, tooMany, 'ru');
  expect(refused.status).toBe(429);
  expect(await refused.text()).toBe('Слишком много файлов. Подождите десять минут.');
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

const endless: ReadPage = () => Promise.resolve({ lines: 'more\r\n', nextCursor: 'a' });

it('tells that it is over: whole, broken off, refused, or left by its reader', async () => {
  const onePage = () => Promise.resolve({ lines: 'first\r\n', nextCursor: null });
  await (await answer(onePage)).text();
  expect(over).toHaveBeenCalledTimes(1);
  await answer(() => Promise.reject(new Error('the database went away')));
  expect(over).toHaveBeenCalledTimes(2);
  await answer(endless, () => Promise.reject(new Error('the database went away')));
  expect(over).toHaveBeenCalledTimes(3);
  const left = await answer(endless);
  expect(over).toHaveBeenCalledTimes(3);
  await left.body?.cancel();
  expect(over).toHaveBeenCalledTimes(4);
});

it('breaks off where nobody takes it for two minutes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const file = await answer(endless);
  const reader = file.body?.getReader();
  await vi.advanceTimersByTimeAsync(119_000);
  await reader?.read();
  await vi.advanceTimersByTimeAsync(119_000);
  expect(over).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(over).toHaveBeenCalledTimes(1);
  await expect(reader?.closed).rejects.toThrow('nobody takes the file');
});

it('reads nothing more for who left while a page waited for its turn', async () => {
  let turn: () => void = () => undefined;
  const inTurn: ExportPlace['inTurn'] = async (readPage) => {
    if (asked.length > 0) {
      await new Promise<void>((resolve) => {
        turn = resolve;
      });
    }
    return await readPage();
  };
  const asked: (string | null)[] = [];
  const readPage: ReadPage = async (cursor) => {
    asked.push(cursor);
    return { lines: 'more\r\n', nextCursor: 'a' };
  };
  const file = await csvStream('head\r\n', readPage, { inTurn, leave: over });
  const reader = file.getReader();
  await reader.read();
  await reader.cancel();
  turn();
  await new Promise(setImmediate);
  expect(asked).toEqual([null]);
  expect(over).toHaveBeenCalled();
});

it('reads as many rows at a time as the guide tells operators', () => {
  const guide = readFileSync(path.join(projectRoot(), 'public/operating/operating.md'), 'utf8');
  expect(guide).toContain(`Lists are read ${ROWS_OF_FILE_PAGE} rows at a time`);
});
