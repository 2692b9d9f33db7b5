<#-- Plain text of markup. -->
<#function plain markup>
  <#return markup?replace('<[^>]*>', '', 'r')?replace('&lt;', '<')?replace('&gt;', '>')?replace('&quot;', '"')?replace('&amp;', '&')?replace('\\s+', ' ', 'r')?trim>
</#function>
<#-- The first heading of a page. -->
<#function title page>
  <#list page.body?matches('<h1>(.*?)</h1>') as found>
    <#return plain(found?groups[1])>
  </#list>
  <#return page.uri>
</#function>
