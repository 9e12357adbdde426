# Varnish as a cache for Muster: copy this file to /etc/varnish/default.vcl. Varnish does not do TLS: put nginx, haproxy or
# hitch in front of it, and let it send the PROXY protocol, so that client.ip is the address of the client.
vcl 4.1;

backend muster {
  .host = "127.0.0.1";
  .port = "8080";
  .first_byte_timeout = 15s;
  .between_bytes_timeout = 15s;
}

sub vcl_recv {
  # Overwrites the headers instead of appending to them, because a client can send any value. The service trusts them if
  # MUSTER_TRUST_PROXY includes this machine. With TLS in front of Varnish, the protocol is https.
  set req.http.X-Forwarded-For = client.ip;
  set req.http.X-Forwarded-Proto = "http";
  unset req.http.X-Forwarded-Host;
  unset req.http.Forwarded;
  # Muster uses no cookies. Varnish would not cache responses to requests with those of other pages of the host.
  unset req.http.Cookie;
  # Responses of the API must be current, so each request goes to the service, together with its If-None-Match.
  if (req.url ~ "^/(api|mcp)(/|\?|$)") {
    return (pass);
  }
  # Everything else is cached as its Cache-Control says: pages and feeds of career sites for a second (s-maxage), the files of the
  # console by their names. All other responses are not cached (no-cache).
}
