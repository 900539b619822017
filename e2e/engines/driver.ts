/** A protocol reference to an element, for use in arguments. */
export type Handle = object;

/** One browser window of any engine, with only the functions that the tests need. */
export interface Driver {
  open: (url: string) => Promise<void>;
  /** Calls a function, given as text, in the page. It returns JSON, an element or nothing. */
  call: <T>(body: string, ...args: unknown[]) => Promise<T>;
  /** Clicks at the element's position, as a user does. */
  click: (element: Handle) => Promise<void>;
  /** Types into the focused element. */
  type: (text: string) => Promise<void>;
  choose: (input: Handle, file: string) => Promise<void>;
  /** The number of open windows. */
  windows: () => Promise<number>;
  close: () => Promise<void>;
}

/** The role and the name, or name prefix, to look for. */
export interface Target {
  role: 'button' | 'link' | 'field' | 'menuitem' | 'option' | 'heading';
  name: string;
  /** Selects the last matching element in a container with this text, such as a row. */
  within?: string;
}

// Runs in the page: returns the first visible element with the role and the name.
const finder = `function (role, name, within) {
  const selectors = {
    button: 'button, [role=button], summary', link: 'a[href]', menuitem: '[role=menuitem]',
    option: '[role=option]', heading: 'h1, h2, h3', field: 'input, select, textarea',
  };
  const text = (element) => (element ? element.textContent.replace(/\\s+/g, ' ').trim() : '');
  const named = (element) => {
    const label = element.getAttribute('aria-label');
    if (label) return label;
    const by = element.getAttribute('aria-labelledby');
    if (by) return by.split(' ').map((id) => text(document.getElementById(id))).join(' ');
    return role === 'field' ? text(element.labels && element.labels[0]) : text(element);
  };
  const scope = within ? document.querySelector(within) : document;
  if (!scope) return null;
  const found = [...scope.querySelectorAll(selectors[role])].filter((element) => {
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && !element.disabled;
  });
  return found.find((element) => named(element) === name) ?? found.find((element) => named(element).startsWith(name)) ?? null;
}`;

/** The maximum wait on a busy machine, in milliseconds. */
const patience = 30_000;

/** Polls until there is a result. */
export async function until<T>(what: string, find: () => Promise<T | null | false | undefined>): Promise<T> {
  for (const end = Date.now() + patience; ; ) {
    const answer = await find();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`there was no ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** A user's actions in a window. */
export class Visitor {
  constructor(private readonly driver: Driver) {}

  open = (url: string) => this.driver.open(url);
  windows = () => this.driver.windows();

  async find({ role, name, within }: Target): Promise<Handle> {
    const find = () => this.driver.call<Handle | null>(finder, role, name, within ?? '');
    return this.until(`${role} ${name}`, find);
  }

  /** On a timeout, reports the page's actual content. */
  private until<T>(what: string, find: () => Promise<T | null | false | undefined>): Promise<T> {
    return until(what, find).catch(async (reason) => {
      const shown = await this.driver.call<string>(
        `function () { return location + ' (' + document.readyState + '): ' + document.body.innerText; }`,
      );
      throw new Error(`${reason.message}; the page shows ${shown.slice(0, 500)}`);
    });
  }

  async click(target: Target): Promise<void> {
    await this.onceThere(async () => {
      const element = await this.find(target);
      await this.driver.call(`function (element) { element.scrollIntoView({ block: 'center' }); }`, element);
      await this.driver.click(element);
    });
  }

  /** Retries if the page has replaced the element. */
  private async onceThere(act: () => Promise<void>): Promise<void> {
    await act().catch((reason: Error) => {
      if (!/no such (node|element)|stale element|detached/.test(reason.message)) throw reason;
      return act();
    });
  }

  async fill(name: string, value: string): Promise<void> {
    // A page that's still loading moves the focus.
    await until(`field ${name} with what was typed`, async () => {
      const field = await this.find({ role: 'field', name });
      await this.driver.call(
        `function (element) { element.scrollIntoView({ block: 'center' }); element.focus(); if (element.select) element.select(); }`,
        field,
      );
      await this.driver.type(value);
      return this.driver.call<boolean>(
        `function (element, value) { return element.value === value; }`,
        field,
        value,
      );
    });
  }

  async select(name: string, option: string): Promise<void> {
    await this.driver.call(
      `function (element, option) {
        element.value = [...element.options].find(({ text }) => text === option).value;
        element.dispatchEvent(new Event('change', { bubbles: true }));
      }`,
      await this.find({ role: 'field', name }),
      option,
    );
  }

  async choose(file: string): Promise<void> {
    const input = await until('file field', () =>
      this.driver.call<Handle | null>(`function () { return document.querySelector('input[type=file]'); }`),
    );
    await this.driver.choose(input, file);
  }

  /** Waits until the page shows the text. */
  async sees(text: string): Promise<void> {
    await this.until(`text ${text}`, () =>
      this.driver.call<boolean>(`function (text) { return document.body.innerText.includes(text); }`, text),
    );
  }

  /** Waits until the page has the path. */
  async at(path: string): Promise<void> {
    await this.until(`page ${path}`, () =>
      this.driver.call<boolean>(
        `function (path) { return location.pathname === path && document.readyState === 'complete'; }`,
        path,
      ),
    );
  }
}
