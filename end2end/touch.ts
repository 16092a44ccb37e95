// Touch input, as from a touch screen.

import type { Locator, Page } from '@playwright/test';

export interface Point {
  x: number;
  y: number;
}

/** Scrolls to an element and returns its center. */
export async function middle(locator: Locator): Promise<Point> {
  await locator.scrollIntoViewIfNeeded();
  const box = await locator.boundingBox();
  if (!box) throw new Error('the element has no box');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** One finger. */
export class Finger {
  private constructor(
    private readonly send: (type: 'touchStart' | 'touchMove' | 'touchEnd', points: Point[]) => Promise<unknown>,
    private at: Point = { x: 0, y: 0 },
  ) {}

  static async of(page: Page): Promise<Finger> {
    const session = await page.context().newCDPSession(page);
    return new Finger((type, touchPoints) => session.send('Input.dispatchTouchEvent', { type, touchPoints }));
  }

  async down(at: Point): Promise<void> {
    this.at = at;
    await this.send('touchStart', [at]);
  }

  /** Moves in several steps. */
  async move(to: Point, steps = 6): Promise<void> {
    const from = this.at;
    for (let step = 1; step <= steps; step++) {
      this.at = { x: from.x + ((to.x - from.x) * step) / steps, y: from.y + ((to.y - from.y) * step) / steps };
      await this.send('touchMove', [this.at]);
    }
  }

  async up(): Promise<void> {
    await this.send('touchEnd', []);
  }
}
