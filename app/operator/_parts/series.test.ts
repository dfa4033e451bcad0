import { expect, it } from 'vitest';
import { growth, highest, pathOf, sumOfLast } from './series.ts';

const SPAN = { untilMs: 1_000, steps: 4, stepMs: 100 };
const at = (atMs: number, figure: number) => ({ atMs, figure });
const figureOf = ({ figure }: { figure: number }) => figure;

it('the highest of each step is shown, and nothing where nobody took a sample', () => {
  const samples = [at(500, 9), at(650, 1), at(660, 3), at(950, 2), at(1_000, 1)];
  expect(highest(samples, SPAN, figureOf)).toEqual([3, null, null, 2]);
});

it('growth is counted where it was seen, not over a gap, and never below zero', () => {
  const samples = [at(650, 10), at(660, 12), at(860, 20), at(950, 23), at(960, 5)];
  const series = growth(samples, SPAN, figureOf);
  expect(series).toEqual([2, null, null, 3]);
  expect(sumOfLast(series, 2)).toBe(3);
});

it('a gap parts the line, and a single sample is a dot', () => {
  const size = { width: 30, height: 10 };
  expect(pathOf([0, 10, null, 5], size)).toBe('M0.0 10.0L10.0 0.0M30.0 5.0L30.0 5.0');
});

it('of a single step the line goes all along', () => {
  const size = { width: 30, height: 10 };
  expect(pathOf([4], size)).toBe('M0.0 0.0L30.0 0.0');
  expect(pathOf([null], size)).toBe('');
});
