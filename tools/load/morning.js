// An office's morning: people sign in, look up bills, open EORs, work through their open
// bills and write notes, offices send rosters, the staff look for users. Every answer is
// held to what it must be. `go run ./bench -only load` (make load) starts it, and gives
//   BASE    the portal's address
//   PEOPLE  a file: who is signed in, and what of
//   STAGES  JSON of k6's stages: calls a second, and for how long
//   OUT     a file for the counts
//   RUN     what begins everything that is written
import http from 'k6/http';
import { Counter, Trend } from 'k6/metrics';

const given = JSON.parse(open(__ENV.PEOPLE));
const stages = JSON.parse(__ENV.STAGES);

export const options = {
  scenarios: {
    morning: { executor: 'ramping-arrival-rate', startRate: stages[0].target, timeUnit: '1s', stages, preAllocatedVUs: 100, maxVUs: Number(__ENV.MOST || 600), gracefulStop: '30s' },
  },
  discardResponseBodies: false,
  noConnectionReuse: false,
  summaryTrendStats: ['med', 'p(95)', 'p(99)', 'max'],
  systemTags: ['status'],
};

const right = new Counter('right');
const refused = new Counter('refused');
const wrong = new Counter('wrong');
const took = new Trend('took', true);
const begun = new Trend('begun');

const any = (list) => list[Math.floor(Math.random() * list.length)];
// Each call comes from another address, as through the proxy of a portal with many offices.
const from = () => ({ 'X-Forwarded-For': `10.${[0, 0, 0].map(() => Math.floor(Math.random() * 250)).join('.')}` });
const json = () => ({ headers: { 'Content-Type': 'application/json', ...from() }, timeout: '40s' });
const as = (who) => ({ headers: { ...json().headers, Authorization: `Bearer ${who.token}` }, timeout: '40s' });

// held counts an answer: right, refused with the time to come again, or wrong.
function held(what, res, is) {
  if (res.status === 503 || res.status === 429) {
    if (Number(res.headers['Retry-After']) > 0) {
      refused.add(1);
      return false;
    }
  }
  let good = false;
  try {
    good = (res.status === 200 || res.status === 204) && is(res);
  } catch (e) {
    good = false;
  }
  if (!good) {
    wrong.add(1);
    console.log(`WRONG ${what} ${res.status} ${res.error || ''} ${String(res.body).slice(0, 200)}`);
    return false;
  }
  right.add(1);
  took.add(res.timings.duration);
  if (res.timings.duration > 5000) {
    console.log(`SLOW ${what} ${(res.timings.duration / 1000).toFixed(1)} s`);
  }
  return true;
}

let written = 0;
const unique = (kind) => `${__ENV.RUN} ${kind} ${__VU} ${++written}`;

const calls = [
  [30, function search() {
    const who = any(given.readers);
    const b = any(who.bills);
    const res = http.post(`${__ENV.BASE}/api/billSearch/searchByAssorted`, JSON.stringify({ ftin: b.ftin, billControlNumber: b.number }), as(who));
    held('search', res, (r) => {
      const found = r.json();
      return found.length > 0 && found.every((f) => f.ftin === b.ftin && f.billControlNumber === b.number);
    });
  }],
  [20, function openBills() {
    const who = any(given.readers);
    const res = http.post(`${__ENV.BASE}/api/work/bills/search`, JSON.stringify({ filter: {} }), as(who));
    held('open bills', res, (r) => {
      const list = r.json().bills;
      // The most overdue first, bills without a due date last.
      const order = (b) => `${b.due || '9999-12-31'} ${b.beginServiceDate || ''}`;
      return list.length > 0 && list.every((b, n) => who.tins.includes(b.ftin) && (n === 0 || order(list[n - 1]) <= order(b)));
    });
  }],
  [15, function page() {
    const who = any(given.readers);
    const b = any(who.bills);
    held('page', http.get(`${__ENV.BASE}/api/work/bills/${b.id}`, as(who)), (r) => r.json().bill.billControlNumber === b.number && r.json().bill.ftin === b.ftin);
  }],
  [6, function eor() {
    const who = any(given.readers.filter((p) => p.eors.length > 0));
    held('EOR', http.get(`${__ENV.BASE}${any(who.eors)}`, as(who)), (r) => r.headers['Content-Type'] === 'application/pdf' && r.body.startsWith('%PDF'));
  }],
  [10, function note() {
    const who = any(given.readers);
    const body = unique('note');
    const res = http.post(`${__ENV.BASE}/api/work/bills/${any(who.bills).id}/notes`, JSON.stringify({ body }), as(who));
    if (held('note', res, () => true)) {
      console.log(`WROTE note ${body}`);
    }
  }],
  [2, function roster() {
    const who = given.sender;
    const name = `${unique('roster')}.csv`;
    const res = http.post(`${__ENV.BASE}/api/roster/upload`,
      { sourceId: who.sourceId, groupId: who.groupId, rosterType: 'delta', confirmed: 'true', files: http.file('NPI\n', name, 'text/csv') },
      { headers: { ...from(), Authorization: `Bearer ${who.token}` }, timeout: '40s' });
    if (held('roster', res, (r) => r.json().logId > 0)) {
      console.log(`WROTE roster ${name}`);
    }
  }],
  [3, function signIn() {
    const userName = any(given.names);
    const res = http.post(`${__ENV.BASE}/api/authenticate`, JSON.stringify({ username: userName, password: given.password }), json());
    if (!held('sign-in', res, (r) => r.json().username === userName && r.json().token.length > 20)) {
      return;
    }
    const session = as({ token: res.json().token });
    held('session', http.get(`${__ENV.BASE}/api/session`, session), (r) => r.json().user.userNm === userName);
    held('sign-out', http.post(`${__ENV.BASE}/api/logout`, null, session), () => true);
  }],
  [6, function users() {
    const name = any(given.names);
    held('users', http.post(`${__ENV.BASE}/api/admin/userList`, JSON.stringify({ userName: name }), as(any(given.staff))), (r) => r.json().some((u) => u.userNm === name));
  }],
  [8, function session() {
    const who = any(given.readers);
    held('session', http.get(`${__ENV.BASE}/api/session`, as(who)), (r) => r.json().user.userNm === who.name);
  }],
];
const total = calls.reduce((sum, [weight]) => sum + weight, 0);

export default function morning() {
  begun.add(Date.now());
  let n = Math.random() * total;
  for (const [weight, call] of calls) {
    n -= weight;
    if (n < 0) {
      call();
      return;
    }
  }
}

export function handleSummary(data) {
  const of = (name) => (data.metrics[name] ? data.metrics[name].values.count : 0);
  const times = data.metrics.took ? data.metrics.took.values : {};
  return {
    [__ENV.OUT]: JSON.stringify({
      right: of('right'), refused: of('refused'), wrong: of('wrong'), notBegun: of('dropped_iterations'),
      median: times.med || 0, p95: times['p(95)'] || 0, p99: times['p(99)'] || 0, most: times.max || 0, lastBegun: data.metrics.begun.values.max,
    }),
  };
}
