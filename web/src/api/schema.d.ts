export interface paths {
  '/authenticate': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    post: operations['authenticate'];
  };
  '/session': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: operations['readSession'];
  };
  '/session/touch': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    post: operations['touchSession'];
  };
  '/session/mirror': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    post: operations['startMirror'];
    delete: operations['stopMirror'];
  };
  '/logout': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    post: operations['logout'];
  };
  '/appProperties/property/{name}': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: operations['property'];
  };
}
export interface components {
  schemas: {
    User: {
      id: number;
      userNm: string;
      userFirstName: string;
      userLastName: string;
      userMidName: string;
      emailAddr: string;
      phoneNum: string;
      typeCd: string;
      typeDesc: string;
      statusCd: string;
      statusDesc: string;
      grpInfoId: number | null;
      appVersion: string;
      jobTitle: string;
      companyNm: string;
      companyUrl: string;
      affiliationCd: string;
      affiliationDesc: string;
      feeSchedRqstsCnt: number;
      feeSchedRqsts: unknown[];
    };
    MenuEntry: { label: string; to: string };
    Session: {
      username: string;
      token: string;
      user: components['schemas']['User'];
      mirroredUser: components['schemas']['User'] | null;
      routes: string[];
      menu: components['schemas']['MenuEntry'][];
      permissions: string[];
      /** Minutes without activity after which the server ends the session. */
      idleMinutes: number;
    };
    Authenticate: { username: string; password: string; state?: string };
    Authenticated: { username: string; token: string };
    Mirror: { userNm: string };
    SignedOut: { signOutUrl: string | null };
    Problem: {
      status: number;
      code: string;
      message: string;
      localizedMessage: string;
      fields: { path: string; code: string; message: string }[];
      requestId: string;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
type None = { query?: never; header?: never; path?: never; cookie?: never };
type Answers<Status extends number, Body> = {
  [status in Status]: { headers: { [name: string]: unknown }; content: { 'application/json': Body } };
} & {
  default: {
    headers: { [name: string]: unknown };
    content: { 'application/json': components['schemas']['Problem'] };
  };
};
type Sends<Body> = { content: { 'application/json': Body } };
export interface operations {
  authenticate: {
    parameters: None;
    requestBody: Sends<components['schemas']['Authenticate']>;
    responses: Answers<200, components['schemas']['Authenticated']>;
  };
  readSession: {
    parameters: None;
    requestBody?: never;
    responses: Answers<200, components['schemas']['Session']>;
  };
  touchSession: {
    parameters: None;
    requestBody?: never;
    responses: { 204: { headers: { [name: string]: unknown }; content?: never } };
  };
  startMirror: {
    parameters: None;
    requestBody: Sends<components['schemas']['Mirror']>;
    responses: Answers<200, components['schemas']['Session']>;
  };
  stopMirror: {
    parameters: None;
    requestBody?: never;
    responses: Answers<200, components['schemas']['Session']>;
  };
  logout: {
    parameters: None;
    requestBody?: never;
    responses: Answers<200, components['schemas']['SignedOut']>;
  };
  property: {
    parameters: { query?: never; header?: never; path: { name: string }; cookie?: never };
    requestBody?: never;
    responses: Answers<200, number>;
  };
}
