// A person who uses a page with one kind of input.

import { expect, type Locator, type Page } from '@playwright/test';

export type Input = 'mouse' | 'keyboard' | 'touch';

/** More than any page or dialog of the tests has. */
const MAX_TABS = 200;

export class Person {
  constructor(
    private readonly page: Page,
    readonly input: Input,
  ) {}

  /** Presses a button, a link or a tile. */
  async press(target: Locator): Promise<void> {
    if (this.input === 'mouse') return target.click();
    if (this.input === 'touch') return target.tap();
    await this.reach(target);
    await this.page.keyboard.press('Enter');
  }

  /** Turns a switch on. */
  async turnOn(control: Locator): Promise<void> {
    if (this.input === 'keyboard') {
      await this.reach(control);
      await this.page.keyboard.press('Space');
    } else await this.press(control);
    await expect(control).toBeChecked();
  }

  /** Replaces the text of a field. Text comes from a keyboard, of the machine or on the screen. */
  async write(field: Locator, text: string): Promise<void> {
    if (this.input === 'keyboard') await this.reach(field);
    else await this.press(field);
    await this.page.keyboard.press('Control+a');
    await this.page.keyboard.insertText(text);
  }

  /** Chooses an option of a list by its text. Where the browser opens the list, it lies outside the page, so tests cannot press it there. */
  async choose(list: Locator, text: string): Promise<void> {
    if (this.input === 'keyboard') {
      await this.reach(list);
      await this.page.keyboard.type(text);
    } else await list.selectOption({ label: text });
    await expect(list.locator('option:checked')).toHaveText(text);
  }

  /** Checks one of several radio buttons, each inside its label. */
  async check(radio: Locator): Promise<void> {
    if (this.input === 'keyboard') {
      // Tab reaches one of them, the arrow keys the others.
      const group = this.page.locator(`input[name="${await radio.getAttribute('name')}"]`);
      const checked = group.and(this.page.locator(':checked'));
      await this.reach((await checked.count()) ? checked : group.first());
      const count = await group.count();
      await this.page.keyboard.press('Space');
      for (let step = 0; step < count && !(await radio.isChecked()); step++) await this.page.keyboard.press('ArrowDown');
    } else await this.press(radio.locator('xpath=ancestor::label'));
    await expect(radio).toBeChecked();
  }

  /** Moves the focus to an element with Tab and Shift+Tab. */
  async reach(target: Locator): Promise<void> {
    await target.waitFor();
    for (let tabs = 0; tabs <= MAX_TABS; tabs++) {
      const { isThere, isBefore, isText } = await target.evaluate((element) => {
        const outside = document.activeElement ?? document.body;
        const isThere = (outside.shadowRoot?.activeElement ?? outside) === element;
        const isBefore = outside !== document.body && (outside.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING) > 0;
        return { isThere, isBefore, isText: outside.shadowRoot !== null };
      });
      if (isThere) return;
      // In a text with lines, Tab indents.
      if (isText) await this.page.keyboard.press('Escape');
      await this.page.keyboard.press(isBefore ? 'Shift+Tab' : 'Tab');
    }
    throw new Error(`Tab does not lead to ${target}`);
  }
}
