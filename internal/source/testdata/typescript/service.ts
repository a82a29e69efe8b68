import type { Config } from './config';
import def, { type Row, query as q } from "../db";
import fs = require('fs');

export interface Store { get(id: string): Promise<Row> }

export abstract class Service<T extends Row> implements Store {
  private cache = new Map<string, T>();
  protected readonly load = async (id: string): Promise<T | undefined> => this.cache.get(id);

  constructor(private readonly config: Config, public name = 'svc') {}

  @cached()
  @logged
  async get(id: string, ...rest: unknown[]): Promise<T> {
    const hit = await this.load(id);
    if (hit !== undefined) return hit!;
    return (await q<T>(id))?.rows[0] as T;
  }

  abstract close(): void;
  static of<T extends Row>(this: void, c: Config): Service<T> { return new (impl())(c); }
}

export function parse(x: string): number;
export function parse(x: number): number;
export function parse(x: string | number): number {
  return typeof x === 'string' ? parseInt(x, 10) : x;
}

export const enum Level { Low, High }

namespace Util {
  export function clamp(n: number, lo = 0, hi = 1) { return Math.min(hi, Math.max(lo, n)); }
}

const isRow = (x: unknown): x is Row => !!x && typeof x === 'object';

const helper = function named(this: Service<Row>) { return this.name; } satisfies () => string;

export default helper;
